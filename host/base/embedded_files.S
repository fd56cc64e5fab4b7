/* The data files that the program carries. Several files in a row become one. The build passes their
 * folders, which are part of the names: a bare name would be looked for first where the assembler
 * runs, in the build folder, and may be there. */
    .macro embed name, folder, files:vararg
    .balign 64
    .global \name\()_begin
    .hidden \name\()_begin
\name\()_begin:
    .irp file, \files
    .incbin "\folder\()/\file"
    .endr
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
    embed regal_profiles, REGAL_MODELS, profiles.json
    embed regal_beta, REGAL_MODELS, beta_quantiles.bin
#ifdef REGAL_POLICY_TIME
    embed regal_policy_time, REGAL_MODELS, policies/time.safetensors
#else
    embed_nothing regal_policy_time
#endif
#ifdef REGAL_POLICY_MEMORY
    embed regal_policy_memory, REGAL_MODELS, policies/memory.safetensors
#else
    embed_nothing regal_policy_memory
#endif
    embed regal_report_page, REGAL_REPORT, report.html
    embed regal_report_style, REGAL_REPORT, report.css
    embed regal_report_script, REGAL_REPORT, report_words.js, report_data.js, report_findings.js, report_tables.js, report_view.js, report_timeline.js, report_memory.js, report_convergence.js, report.js

    .section .note.GNU-stack, "", %progbits
