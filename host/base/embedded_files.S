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

    .macro embed_nothing name
    .global \name\()_begin, \name\()_end
    .hidden \name\()_begin, \name\()_end
\name\()_begin:
\name\()_end:
    .endm

    .section .rodata
    embed regal_profiles, profiles.json
    embed regal_beta, beta_quantiles.bin
#ifdef REGAL_POLICY_TIME
    embed regal_policy_time, policies/time.safetensors
#else
    embed_nothing regal_policy_time
#endif
#ifdef REGAL_POLICY_MEMORY
    embed regal_policy_memory, policies/memory.safetensors
#else
    embed_nothing regal_policy_memory
#endif

    .section .note.GNU-stack, "", %progbits
