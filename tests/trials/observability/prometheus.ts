import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pickFreePort } from '@tms/local-system'
import { toYaml } from '../../../tools/kubernetes/yaml.ts'
import type { RangeResult } from '../../../tools/observability/pictures.ts'
import { alertRules, prometheusConfig } from '../../../tools/observability/prometheus.ts'

interface InstantResult {
  value: [seconds: number, value: string]
}

/** Prometheus' API. */
export interface Prometheus {
  targets: () => Promise<{ activeTargets: { health: string }[] }>
  rules: () => Promise<{ groups: { rules: Rule[] }[] }>
  /** Returns the result, or the error of a wrong query. */
  query: (query: string) => Promise<{ result: InstantResult[]; error?: string }>
  queryRange: (query: string, range: { from: number; to: number; step: number }) => Promise<RangeResult[]>
  stop: () => Promise<void>
}

interface Rule {
  name: string
  health: string
  state: string
  lastError?: string
}

interface StartOptions {
  program: string
  dataDir: string
  /** Addresses of the replicas, by service. */
  urls: Readonly<Record<string, readonly string[]>>
}

/** Starts Prometheus with the deployed configuration, except for the discovery of replicas and the scrape interval. */
export async function startPrometheus({ program, dataDir, urls }: StartOptions): Promise<Prometheus> {
  const write = (name: string, value: object) => {
    writeFileSync(join(dataDir, name), toYaml(value))
    return join(dataDir, name)
  }
  const targetsOf = (service: string) => ({
    static_configs: [{ targets: (urls[service] ?? []).map((url) => new URL(url).host) }],
  })
  const rulesFile = write('alerts.yaml', alertRules())
  const config = write('prometheus.yaml', prometheusConfig({ rulesFile, interval: '1s', targetsOf }))
  const address = `127.0.0.1:${await pickFreePort()}`
  const output = openSync(join(dataDir, 'prometheus.log'), 'w')
  const flags = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(dataDir, 'prometheus')}`,
    `--web.listen-address=${address}`,
  ]
  const child = spawn(program, flags, { stdio: ['ignore', output, output] })
  const ended = once(child, 'exit')
  const get = async <T>(path: string, parameters: Record<string, string> = {}): Promise<T> => {
    const answer = await fetch(`http://${address}/api/v1/${path}?${new URLSearchParams(parameters)}`)
    return JSON.parse(await answer.text())
  }
  return {
    targets: async () => (await get<{ data: { activeTargets: { health: string }[] } }>('targets')).data,
    rules: async () => (await get<{ data: { groups: { rules: Rule[] }[] } }>('rules')).data,
    query: async (query) => {
      const { data, error } = await get<{ data?: { result: InstantResult[] }; error?: string }>('query', {
        query,
      })
      return { result: data?.result ?? [], ...(error === undefined ? {} : { error }) }
    },
    queryRange: async (query, { from, to, step }) => {
      const range = { start: String(from), end: String(to), step: String(step) }
      return (await get<{ data: { result: RangeResult[] } }>('query_range', { query, ...range })).data.result
    },
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
