/** A table of Markdown, padded like the formatter pads tables, so that formatting doesn't change a document. */
export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [heading, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = heading.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const rule = widths.map((width) => '-'.repeat(width))
  return [cells[0] ?? [], rule, ...cells.slice(1)]
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n')
}
