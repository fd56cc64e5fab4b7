/* The data files that the program carries (the build passes their folders). Several files in a row
 * become one. */
    .macro embed name, files:vararg
    .balign 64
    .global \name\()_begin
    .hidden \name\()_begin
\name\()_begin:
    .irp file, \files
    .incbin "\file"
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
    embed regal_report_page, report.html
    embed regal_report_style, report.css
    embed regal_report_script, report_words.js, report_data.js, report_findings.js, report_tables.js, report_view.js, report_timeline.js, report_memory.js, report_convergence.js, report.js

    .section .note.GNU-stack, "", %progbits
