import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubernetesObject } from './kubernetes-renderings.ts'
import { repoRoot } from './repository.ts'

/** Packages with the schemas of the APIs of Kubernetes and of the operators, by the group of an `apiVersion`. */
const OPERATORS: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'external-secrets.io': '@kubernetes-models/external-secrets',
}

function moduleOf(apiVersion: string): string {
  const group = apiVersion.split('/')[0] ?? ''
  return `${OPERATORS[group] ?? 'kubernetes-models'}/${apiVersion}`
}

interface Model {
  validate(): void
}

/** The errors of an object by the schema of its kind; null if there are none. Unknown fields pass: see findUnknownFields. */
export async function findFault(object: KubernetesObject): Promise<string | null> {
  const models = (await import(moduleOf(object.apiVersion))) as Record<string, new (data: unknown) => Model>
  const Kind = models[object.kind]
  if (Kind === undefined) return `${object.apiVersion} has no ${object.kind}`
  try {
    new Kind(object).validate()
    return null
  } catch (err) {
    return `${object.kind} ${object.metadata.name}: ${err instanceof Error ? err.message : String(err)}`
  }
}

/**
 * Unknown fields at any depth, and values of wrong types: the compiler finds them, with the objects written as literals of
 * types from the same schemas. Returns its errors, or nothing.
 */
export function findUnknownFields(objects: readonly KubernetesObject[]): string {
  // Below tests/, where the packages are found; no glob of this repository matches a folder with a dot.
  const folder = join(repoRoot, 'tests', '.local', `rendered-${process.pid}`)
  const literals = objects.map(({ ...object }, index) => {
    const type = `import('${moduleOf(object.apiVersion)}').I${object.kind}`
    return `export const object${index}: ${type} = ${JSON.stringify(object, null, 1)}\n`
  })
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(join(folder, 'rendered.ts'), literals.join(''))
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '']
    const tsc = join(repoRoot, 'node_modules/.bin/tsc')
    execFileSync(tsc, [...options, '--ignoreConfig', 'rendered.ts'], { cwd: folder, encoding: 'utf8' })
    return ''
  } catch (err) {
    const { stdout } = err as { stdout?: string }
    if (stdout === undefined || stdout === '') throw err
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
