/* The data files of models/ that the program carries (the build passes their folder). */
    .section .rodata
    .balign 64
    .global regal_embedded_profiles
regal_embedded_profiles:
    .incbin "profiles.json"
    .global regal_embedded_profiles_end
regal_embedded_profiles_end:
    .byte 0

    .balign 64
    .global regal_embedded_beta
regal_embedded_beta:
    .incbin "beta_quantiles.bin"
    .global regal_embedded_beta_end
regal_embedded_beta_end:
    .byte 0

    .section .note.GNU-stack, "", %progbits
