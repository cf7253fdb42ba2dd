import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findInPath } from '@tms/local-system'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dashboards as committed, type Query, queriesOf } from './support/dashboards.ts'
import { read, repoRoot } from './support/repository.ts'

const promtool = findInPath(['promtool'], process.env)
const folder = 'deploy/observability'
const queries: readonly Query[] = committed.flatMap(queriesOf)

test('deploy/observability matches tools/observability and the alerts', () => {
  expect(() =>
    execFileSync('node', ['tools/observability.ts', '--check'], { cwd: repoRoot, stdio: 'pipe' }),
  ).not.toThrow()
})

test('an alert about a replica also names it outside Kubernetes', () => {
  const groupings = [...read(`${folder}/alerts.yaml`).matchAll(/\bby \(([^)]*\bpod\b[^)]*)\)/g)]

  expect(groupings.length).toBeGreaterThan(0)
  expect(groupings.filter(([, labels]) => !labels?.split(', ').includes('instance'))).toEqual([])
})

describe('a dashboard', () => {
  test.each(committed.map((dashboard) => [dashboard.title, dashboard] as const))(
    '%s has panels with descriptions and distinct positions',
    (_, { panels }) => {
      const shown = panels.filter(({ type }) => type !== 'row')
      const positions = panels.map(({ gridPos: { x, y } }) => `${x},${y}`)

      expect(shown.filter(({ description }) => !description)).toEqual([])
      expect(shown.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
      expect(new Set(positions).size).toBe(panels.length)
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    },
  )

  test('names only alerts that exist', () => {
    const rules = read(`${folder}/alerts.yaml`)
    const named = committed.flatMap(({ panels }) =>
      panels.flatMap(({ description = '' }) => description.match(/Tms[A-Z]\w+/g) ?? []),
    )

    expect(named.filter((name) => !rules.includes(`alert: ${name}\n`))).toEqual([])
    expect(named.length).toBeGreaterThan(5)
  })
})

// From Debian's package prometheus; without it these tests are reported as skipped.
const describeWithPromtool = promtool === null ? describe.skip : describe
describeWithPromtool('promtool', () => {
  let scratch = ''
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'tms-promtool-'))
  })
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  const check = (what: 'config' | 'rules', path: string) =>
    execFileSync(promtool ?? '', ['check', what, path], { cwd: repoRoot, encoding: 'utf8', stdio: 'pipe' })
  const checkQueries = (all: readonly Query[]) => {
    const rules = all.map(({ expr }, index) => ({ record: `query_${index}`, expr }))
    const path = join(scratch, 'queries.yaml')
    // JSON is valid YAML.
    writeFileSync(path, JSON.stringify({ groups: [{ name: 'queries', rules }] }))
    return check('rules', path)
  }

  test('accepts the configuration and the alerts', () => {
    expect(check('config', `${folder}/prometheus.yaml`)).toContain('SUCCESS')
  })

  test('accepts the query of each panel, and would reject a wrong one', () => {
    expect(queries.length).toBeGreaterThan(40)
    expect(checkQueries(queries)).toContain(`${queries.length} rules found`)
    expect(() => checkQueries([{ panel: 'x', expr: 'sum(rate(x[5m])' }])).toThrow('query_0')
  })
})
