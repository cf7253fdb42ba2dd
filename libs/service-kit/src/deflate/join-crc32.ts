/** The polynomial of CRC-32 (RFC 1952, 8); as in all numbers here, the coefficient of x^0 is the highest bit. */
const POLYNOMIAL = 0xedb88320
const ONE = 0x80000000
const X = 0x40000000

/** Product of two polynomials over bits, modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let rest = a; rest !== 0; rest <<= 1) {
    if (rest & ONE) product ^= shifted
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1
  }
  return product >>> 0
}

/** x to the powers 1, 2, 4, 8, … */
const squares: number[] = [X]
for (let i = 1; i < 32; i++) squares.push(multiply(squares[i - 1] as number, squares[i - 1] as number))

/** x to the power of so many bytes' bits. */
function shiftOf(bytes: number): number {
  let shift = ONE
  // A byte has 2^3 bits; x^(2^32) is x again.
  for (let rest = bytes, i = 3; rest > 0; rest = Math.floor(rest / 2), i++)
    if (rest % 2 === 1) shift = multiply(squares[i % 32] as number, shift)
  return shift
}

/** CRC-32 of two texts, one after the other, from those of each and the second's length in bytes. */
export function joinCrc32(first: number, second: number, secondLength: number): number {
  return (multiply(shiftOf(secondLength), first) ^ second) >>> 0
}
