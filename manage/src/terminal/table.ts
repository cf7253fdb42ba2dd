/** Renders rows under headings, with columns as wide as their content and numbers aligned right. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => String(row[column] ?? '').length)),
  )
  const isNumeric = headings.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'),
  )
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return isNumeric[column] ? String(cell).padStart(width) : String(cell).padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [headings, ...rows].map(line).join('\n')
}

/** Renders names and values, a line each. */
export function renderDetails(details: readonly (readonly [string, string | number])[]): string {
  const width = Math.max(...details.map(([name]) => name.length))
  return details.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join('\n')
}
