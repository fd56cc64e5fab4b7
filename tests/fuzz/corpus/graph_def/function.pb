
2
xPlaceholder*
dtype0*
shape
:
	
nfx
9
iIfxx*
else_branchR
f*
then_branchR
f
+
wWhilei*
bodyR
f*
condR
fJ
H

f
a
r
bMulaa
dTopKV2b:z:0"
r
d:values:0