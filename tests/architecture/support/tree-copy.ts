import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { repoRoot } from './repository.ts'

/** What no tool reads that follows from declarations. */
const LEFT_OUT = new Set(['.git', '.local', 'node_modules', 'coverage', 'deploy'])

/** What a command printed, and whether it succeeded. */
interface Outcome {
  readonly isOk: boolean
  readonly output: string
}

/** A copy of the repository in a temporary folder. Its packages find each other in the copy, and the others where they are. */
export class TreeCopy {
  readonly #root = mkdtempSync(join(tmpdir(), 'tree-copy-'))

  constructor() {
    this.#copy()
    symlinkSync(join(repoRoot, 'node_modules'), join(this.#root, 'node_modules'))
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.#root, path)), { recursive: true })
    writeFileSync(join(this.#root, path), text)
  }

  read(path: string): string {
    return readFileSync(join(this.#root, path), 'utf8')
  }

  /** Runs a program of Node.js in the copy. */
  run(program: string, ...args: readonly string[]): Outcome {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: this.#root,
      encoding: 'utf8',
    })
    return { isOk: status === 0, output: stdout + stderr }
  }

  remove(): void {
    rmSync(this.#root, { recursive: true })
  }

  #copy(): void {
    const filter = (source: string): boolean => {
      const path = relative(repoRoot, source)
      return (
        !path.split('/').some((name) => LEFT_OUT.has(name)) && !/^(services|clients)\/[^/]+\/dist$/.test(path)
      )
    }
    cpSync(repoRoot, this.#root, { recursive: true, preserveTimestamps: true, filter })
    this.#linkPackages('tests/node_modules')
    for (const group of ['libs', 'services', 'clients'])
      for (const name of readdirSync(join(repoRoot, group)))
        this.#linkPackages(`${group}/${name}/node_modules`)
  }

  #linkPackages(folder: string): void {
    const source = join(repoRoot, folder)
    const target = join(this.#root, folder)
    if (!existsSync(source)) return
    mkdirSync(target)
    // These links are relative, so they lead to the copy.
    for (const name of readdirSync(source))
      if (name === '@tms')
        cpSync(join(source, name), join(target, name), { recursive: true, verbatimSymlinks: true })
      else symlinkSync(join(source, name), join(target, name))
  }
}
