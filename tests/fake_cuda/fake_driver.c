/* Stands for libcuda.so.1: the loader only wants it to be there. */
extern const int fake_driver;
const int fake_driver = 1;
