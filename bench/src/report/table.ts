/** A table of results. The first column is text, the others are aligned to the right. */
export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** The limits of the figures, and other notes for the reader. */
  readonly notes: readonly string[]
}

/** For a terminal. */
export function asText({ title, columns, rows, notes }: Table): string {
  const widths = columns.map((name, i) => Math.max(name.length, ...rows.map((row) => (row[i] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  const ruler = widths.map((width) => '─'.repeat(width)).join('  ')
  const body = [line(columns), ruler, ...rows.map(line)].map((text) => `  ${text}`)
  return [title, ...body, ...notes.map((note) => `  ${note}`)].join('\n')
}

/** For a document. */
export function asMarkdown({ title, columns, rows, notes }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const ruler = line(columns.map((_, i) => (i === 0 ? '---' : '--:')))
  const list = notes.length > 0 ? ['', ...notes.map((note) => `- ${note}`)] : []
  return [`### ${title}`, '', line(columns), ruler, ...rows.map(line), ...list].join('\n')
}
