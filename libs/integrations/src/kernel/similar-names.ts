/** How many of the most similar names help somebody who mistyped one. */
const MAX_SUGGESTED = 3

/** Those of `names` that somebody may have meant who wrote `given`, the most similar first. */
export function similarNames(given: string, names: readonly string[]): string[] {
  const wanted = fold(given)
  if (wanted === '') return []
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, fold(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(fold(name).length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTED)
    .map(({ name }) => name)
}

/** Longer texts resemble no name, and comparing costs their length. */
const MAX_LENGTH = 100

const fold = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, MAX_LENGTH)

/** 0 if one is part of the other, otherwise how many letters have to be inserted, removed or replaced. */
function distanceOf(a: string, b: string): number {
  if (Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a))) return 0
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const [above, left, diagonal] = [row[j] ?? 0, next[j - 1] ?? 0, row[j - 1] ?? 0]
      next.push(Math.min(above + 1, left + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length] ?? 0
}
