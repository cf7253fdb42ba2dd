import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'mapped-stacks'

/** The program's part that maps stack traces, as an input of the bundler. */
export function mappedStacks(repoRoot: string): Record<string, string> {
  return { [NAME]: join(repoRoot, 'libs', 'service-kit', 'src', 'programs', `${NAME}.ts`) }
}

/** Whether stack traces are mapped by the program or thread itself. Those of `config` are mapped by the tool or test that imports it. */
export function isMapped(entry: string): boolean {
  return entry !== 'config' && entry !== NAME
}

/** Writes the file that starts a program or thread: Node.js would read the map of a file that it has loaded before that part. */
export function writeEntry(dist: string, { name, fileName }: { name: string; fileName: string }): void {
  writeFileSync(join(dist, `${name}.js`), `require('./${NAME}.js');module.exports=require('./${fileName}')\n`)
}
