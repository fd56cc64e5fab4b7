/* void simt_switch(void **save, void *stack_pointer): keeps the registers that a call must keep on
 * this stack and takes those of the other. All fibers switch at one call, so that the return is
 * predicted. */
#if defined(__x86_64__)
        .text
        .globl  simt_switch
        .type   simt_switch, @function
simt_switch:
        .cfi_startproc
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        ret
        .cfi_endproc
        .size   simt_switch, .-simt_switch
#endif
        .section .note.GNU-stack, "", @progbits
