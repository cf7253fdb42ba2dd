// Renders the chart as kustomize needs it: with plain names, and without what only Helm reads.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { runClient } from './clients.ts'

export interface Container {
  env: object[]
  startupProbe: { httpGet: object }
  livenessProbe: { httpGet: object }
  readinessProbe: { httpGet: object }
}

/** A Kubernetes object, as far as the generators read it. */
export interface KubernetesObject {
  kind: string
  metadata: { name: string }
  spec?: { endpoints?: object[]; template?: { spec: { containers: Container[] } } }
}

/** Values of the chart, as far as the generators read them. */
interface Values {
  settings: Record<string, string>
  autoscaling?: { enabled: boolean }
  monitoring?: { enabled: boolean }
  secrets?: { existing?: string }
}

/** An example of the chart's values. */
export interface Example {
  name: string
  /** Its first comment. */
  about: string
  values: Values & Record<string, { replicas?: number; resources?: object } | undefined>
}

/** Renders the chart with values over those of every overlay's base. */
export type Render = (values: object) => KubernetesObject[]

/** Replaced by nothing in names, so that objects are named by their components. */
const RELEASE = 'release-of-kustomize'
const ONLY_FOR_HELM = /^(helm\.sh|checksum)\/|^app\.kubernetes\.io\/instance$/

export function readExamples(chart: string): Example[] {
  const folder = join(chart, 'examples')
  return readdirSync(folder).map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return { name: basename(file, '.yaml'), about: /^# (.+)/.exec(text)?.[1] ?? '', values: parse(text) }
  })
}

export function createRenderer(chart: string, settings: object): Render {
  return (values) => {
    const folder = mkdtempSync(join(tmpdir(), 'tms-chart-'))
    try {
      const file = join(folder, 'values.json')
      writeFileSync(file, JSON.stringify({ settings, secrets: { existing: 'tms-secrets' }, ...values }))
      const namespace = ['--namespace', 'team-messaging']
      const text = runClient('helm', ['template', RELEASE, chart, ...namespace, '--values', file])
        .replaceAll(`${RELEASE}-settings`, 'tms-settings')
        .replaceAll(`${RELEASE}-secrets`, 'tms-secrets')
        .replaceAll(`${RELEASE}-`, '')
      return parseAllDocuments(text)
        .map((document): KubernetesObject | null => document.toJS({ reviver: withoutHelm }))
        .filter((object) => object !== null)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

function withoutHelm(key: unknown, value: unknown): unknown {
  if (typeof key === 'string' && ONLY_FOR_HELM.test(key)) return undefined
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return key === 'annotations' && isEmpty ? undefined : value
}
