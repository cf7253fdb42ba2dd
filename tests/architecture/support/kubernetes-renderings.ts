import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments, parse as parseYaml, stringify } from 'yaml'
import { runClient } from '../../../tools/kubernetes/clients.ts'
import { repoRoot } from './repository.ts'

/** A Kubernetes object, as far as tests read it. */
export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  /** Each kind has a different one; the schemas check it. */
  readonly spec: Record<string, unknown>
  readonly data?: Readonly<Record<string, string>>
  readonly stringData?: Readonly<Record<string, string>>
}

export const CHART = join(repoRoot, 'deploy/helm/team-messaging-service')
/** The keys that a Secret must have. */
export const SECRET_KEYS = [
  'INTERNAL_PRIVATE_KEY',
  'INTERNAL_PUBLIC_KEY',
  'JWT_PRIVATE_KEY',
  'JWT_PUBLIC_KEY',
  'MAIL_URL',
  'MESSAGING_DATABASE_URL',
  'RABBITMQ_URL',
  'REALM_DATABASE_URL',
  'REDIS_URL',
  'USERS_DATABASE_URL',
]

/** The changes in a copy of an overlay. */
interface Changes {
  /** Further parts of `components/`. */
  readonly parts?: readonly string[]
  readonly namespace?: string
  /** Goes into kustomization.yaml; lists there are extended by these. */
  readonly kustomization?: Readonly<Record<string, readonly unknown[]>>
  /** Files beside it, by name. */
  readonly files?: Readonly<Record<string, string>>
}

/** The output of an overlay, or of a changed copy of it. */
export function renderOverlay(overlay: string, changes: Changes = {}): KubernetesObject[] {
  const { parts = [], namespace, kustomization = {}, files = {} } = changes
  return inTemporaryFolder((folder) => {
    cpSync(join(repoRoot, 'deploy/kubernetes'), folder, { recursive: true })
    const path = join(folder, 'overlays', overlay)
    execFileSync('sh', [join(folder, 'make-secrets.sh'), join(path, 'secrets.env')])
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
    const file = join(path, 'kustomization.yaml')
    const copy = parseYaml(readFileSync(file, 'utf8')) as Record<string, unknown>
    const components = parts.map((part) => `../../components/${part}`)
    for (const [list, added] of Object.entries({ components, ...kustomization })) {
      copy[list] = [...((copy[list] ?? []) as unknown[]), ...added]
    }
    if (namespace !== undefined) copy.namespace = namespace
    writeFileSync(file, stringify(copy))
    return parse(runClient('kubectl', ['kustomize', path]))
  })
}

/**
 * The output of the chart for a release in the namespace `chat`, with an example's values and others after them (`path=value`).
 */
export function renderChart(example: string, values: readonly string[] = []): KubernetesObject[] {
  const file = join(CHART, 'examples', `${example}.yaml`)
  const set = values.flatMap((value) => ['--set-json', value])
  return parse(runClient('helm', ['template', 'tms', CHART, '--namespace', 'chat', '--values', file, ...set]))
}

/** Objects by `Kind name`, without expected differences: prefixes of names, namespaces, and Helm's labels and annotations. */
export function comparable(objects: readonly KubernetesObject[]): Record<string, unknown> {
  const plain = objects.map((object) => {
    const text = JSON.stringify(object, (key, value: unknown) => {
      if (key === 'app.kubernetes.io/instance' || key.startsWith('checksum/')) return undefined
      if (key === 'namespace' || key.startsWith('helm.sh/')) return undefined
      // Patches put changed entries first; no variable refers to another.
      if (key === 'env') return (value as { name: string }[]).toSorted((a, b) => a.name.localeCompare(b.name))
      const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
      if (isEmpty && ['annotations', 'metadata'].includes(key)) return undefined
      return value
    })
      .replaceAll(/tms-(settings|secrets)-[a-z0-9]{10}\b/g, 'tms-$1')
      .replaceAll(
        /"tms-(gateway|messaging|users|realm|events|migrate-\w+|alerts|closed|dns|migrations)"/g,
        '"$1"',
      )
      .replaceAll(/(https?):\/\/tms-(\w+):/g, '$1://$2:')
      .replaceAll(',"annotations":{}', '')
    return JSON.parse(text) as KubernetesObject
  })
  return Object.fromEntries(plain.map((object) => [`${object.kind} ${object.metadata.name}`, object]))
}

function parse(text: string): KubernetesObject[] {
  return parseAllDocuments(text)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]
      return document.toJS() as KubernetesObject | null
    })
    .filter((object) => object !== null)
    .map((object) =>
      object.kind === 'Secret' && object.data ? { ...object, data: unfolded(object.data) } : object,
    )
}

/** Kubernetes accepts base64 in several lines, as kustomize writes it; the format in the schema does not. */
function unfolded(data: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, value.replaceAll('\n', '')]))
}

function inTemporaryFolder<T>(work: (folder: string) => T): T {
  const parent = join(repoRoot, '.local')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'kustomize-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
