import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repoRoot } from './repo-root.ts'

export const isCheck = process.argv.includes('--check')

/**
 * Writes files of the repository that a tool generates, by path, and removes obsolete ones. With --check it changes nothing,
 * prints what it would change, and makes the program fail.
 */
export function updateGenerated(
  tool: string,
  files: Readonly<Record<string, string>>,
  obsolete: readonly string[] = [],
): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(repoRoot, path)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    if (isCheck) report(`${path} is out of date`, tool)
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }
  for (const path of obsolete) {
    if (isCheck) report(`${path} is no longer generated`, tool)
    else rmSync(join(repoRoot, path))
  }
}

function report(problem: string, tool: string): void {
  console.error(`${problem}: run node tools/${tool}`)
  process.exitCode = 1
}
