
"serveb
.
xPlaceholder*
dtype0*
shape:
0
aAbsx*
T0*
_output_shapes
:*
s

o
a:0