/* Stands for libcuda.so.1: that it is there is all that the loader asks of it. */
int regal_simt_driver;
