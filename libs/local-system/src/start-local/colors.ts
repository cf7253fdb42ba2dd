export type Colors = Record<'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'bold', (text: string) => string>

const codes = { dim: 2, red: 31, yellow: 33, green: 32, cyan: 36, bold: 1 }

/** Functions that color a text, or leave it as it is. */
export function createColors(isEnabled: boolean): Colors {
  const paint = (code: number) => (text: string) => (isEnabled ? `\x1b[${code}m${text}\x1b[0m` : text)
  return {
    dim: paint(codes.dim),
    red: paint(codes.red),
    yellow: paint(codes.yellow),
    green: paint(codes.green),
    cyan: paint(codes.cyan),
    bold: paint(codes.bold),
  }
}
