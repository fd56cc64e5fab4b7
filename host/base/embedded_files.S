/* The data files that the program carries (the build passes their folder). */
    .macro embed name, file
    .balign 64
    .global \name\()_begin
    .hidden \name\()_begin
\name\()_begin:
    .incbin "\file"
    .global \name\()_end
    .hidden \name\()_end
\name\()_end:
    .endm

    .section .rodata
    embed regal_profiles, profiles.json
    embed regal_beta, beta_quantiles.bin

    .section .note.GNU-stack, "", %progbits
