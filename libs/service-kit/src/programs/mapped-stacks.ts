// Loaded by bundled programs and threads before their code (tools/bundle.ts): stack traces name TypeScript files and lines.
// `--enable-source-maps` would do that too, but reads the map of each file that is loaded, and looks at each of its
// characters, a tenth of the CPU of a start.

import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'

/** By path of the file; null without one. Each is read by the first stack trace that shows its file. */
const maps = new Map<string, SourceMap | null>()

process.setSourceMapsEnabled(false)
Error.prepareStackTrace = (error, sites) => [titleOf(error), ...sites.map(lineOf)].join('\n    at ')

function titleOf(error: Error): string {
  try {
    const title = Error.prototype.toString.call(error)
    const { code } = error as NodeJS.ErrnoException
    // As Node.js shows its own errors.
    return typeof code === 'string' && code.startsWith('ERR_') ? title.replace(/^\w+/, `$& [${code}]`) : title
  } catch {
    return 'Error'
  }
}

/** Its text is as V8 writes it, which the type doesn't say. */
type Site = NodeJS.CallSite & { toString(): string }

function lineOf(site: Site): string {
  const text = site.toString()
  try {
    return mapLine(text, site)
  } catch {
    // To read a stack trace must not fail.
    return text
  }
}

function mapLine(text: string, site: Site): string {
  const [file, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()]
  if (!file || line === null || column === null) return text
  const entry = mapOf(file)?.findEntry(line - 1, column - 1)
  // Code that the bundler has added has no source.
  if (entry === undefined || !('originalSource' in entry) || entry.originalSource === undefined) return text
  const source = resolve(dirname(file), entry.originalSource)
  return text.replace(
    `${file}:${line}:${column}`,
    () => `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`,
  )
}

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file)
  if (known !== undefined) return known
  let map: SourceMap | null = null
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  } catch (err) {
    // It may be readable later: too many files are open, for one.
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err
    // Not a bundle: it is shown as it is.
  }
  maps.set(file, map)
  return map
}
