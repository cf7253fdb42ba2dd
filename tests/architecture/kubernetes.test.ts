import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  comparable,
  type KubernetesObject,
  renderChart,
  renderOverlay,
  SECRET_KEYS,
} from './support/kubernetes-renderings.ts'
import { findFault, findUnknownFields } from './support/kubernetes-schemas.ts'
import { listFiles, read, repoRoot } from './support/repository.ts'

const secrets = JSON.stringify(Object.fromEntries(SECRET_KEYS.map((key) => [key, 'secret'])))
/** The environment for which the chart is rendered. */
const namespace = 'chat'
const withKeda = ['keda.enabled=true']
/** With kustomize the port for replies by mail is there whether or not the settings have an address for them. */
const REPLY_ADDRESS = 'reply+%s@mail.example.com'
const withReplies = [`settings.MAIL_REPLY_ADDRESS="${REPLY_ADDRESS}"`]
const withStore = ['secrets.existing=""', 'secrets.external.enabled=true']
const renderings: Readonly<Record<string, KubernetesObject[]>> = {
  'kustomize small': renderOverlay('small', { namespace }),
  'kustomize production': renderOverlay('production', { namespace }),
  'kustomize production with KEDA and a store of secrets': renderOverlay('production', {
    namespace,
    parts: ['keda', 'external-secret'],
  }),
  'kustomize production with TLS': renderOverlay('production', { namespace, parts: ['tls'] }),
  'Helm small': renderChart('small', [...withReplies, `secrets.values=${secrets}`]),
  'Helm production': renderChart('production', withReplies),
  'Helm production with KEDA and a store of secrets': renderChart('production', [
    ...withReplies,
    ...withKeda,
    ...withStore,
  ]),
  'Helm production with TLS': renderChart('production', [...withReplies, 'tls.enabled=true']),
}
const all = Object.values(renderings).flat()

test('deploy/kubernetes and deploy/helm match tools/kubernetes and the settings', () => {
  expect(() =>
    execFileSync('node', ['tools/kubernetes.ts', '--check'], { cwd: repoRoot, stdio: 'pipe' }),
  ).not.toThrow()
})

describe('the schemas of Kubernetes and of the operators', () => {
  test.each(Object.keys(renderings))('%s: accept every object', async (name) => {
    const objects = renderings[name] ?? []
    const faults: (string | null)[] = []
    for (const object of objects) faults.push(await findFault(object))
    expect(faults.filter((fault) => fault !== null)).toEqual([])
    expect(objects.length).toBeGreaterThan(30)
  })

  test('reject an unknown field', () => {
    // An overlay and an example of the chart make the same objects, as the following tests show.
    const looked = Object.entries(renderings).filter(([name]) => !name.startsWith('kustomize production'))
    const service = all.find(({ kind }) => kind === 'Service') as KubernetesObject
    const misspelt = { ...service, spec: { ...service.spec, selectors: {} } }
    const complaints = findUnknownFields([...looked.flatMap(([, objects]) => objects), misspelt])
    expect(complaints.trim().split('\n')).toEqual([expect.stringContaining('"selectors"\' does not exist')])
  })

  test('reject a wrong value', async () => {
    const service = all.find(({ kind }) => kind === 'Service') as KubernetesObject
    expect(await findFault({ ...service, spec: { ports: [{ port: 'http' }] } })).toContain('port')
  })
})

describe('kustomize and Helm', () => {
  test.each(['small', 'production', 'production with KEDA and a store of secrets', 'production with TLS'])(
    'render the same objects for %s',
    (name) => {
      const kustomize = comparable(renderings[`kustomize ${name}`] ?? [])
      const helm = comparable(renderings[`Helm ${name}`] ?? [])
      // Helm creates the namespace (--create-namespace), and lets migrations reach their database before it applies the
      // policies, while apply.sh applies policies first; the form of the Secret differs.
      for (const each of ['Namespace chat', 'Secret tms-secrets', 'NetworkPolicy tms-migrate']) {
        delete kustomize[each]
        delete helm[each]
      }
      const { data } = helm['ConfigMap tms-settings'] as { data: Record<string, string> }
      expect(data.MAIL_REPLY_ADDRESS).toBe(REPLY_ADDRESS)
      delete data.MAIL_REPLY_ADDRESS
      expect(Object.keys(helm).sort()).toEqual(Object.keys(kustomize).sort())
      expect(helm).toEqual(kustomize)
    },
  )
})

describe('Helm', () => {
  test.each([
    ['a setting that there is not', 'settings={"EXTERNAL_HOTS":"chat.example.com"}', 'EXTERNAL_HOTS'],
    ['a value that a setting cannot have', 'settings={"EVENTS_MAX_BACKLOG":1}', 'EVENTS_MAX_BACKLOG'],
    ['half of the secrets', 'secrets.values={"REDIS_URL":"redis://redis"}', 'secrets/values'],
    ['secrets in two ways', 'secrets.external.enabled=true', 'in one way'],
    [
      'fewer replicas at the most than at the least',
      'events.autoscaling.minReplicas=20',
      'minReplicas is more than maxReplicas',
    ],
    ['a bare number as an annotation', 'ingress.annotations={"example.com/timeout":300}', 'annotations'],
    ['a bare number in a nodeSelector', 'nodeSelector={"pool":1}', 'nodeSelector'],
    ['a flag as an annotation', 'users.serviceAccountAnnotations={"example.com/role":true}', 'role'],
    ['KEDA without autoscaling', 'autoscaling.enabled=false', 'autoscaling'],
  ])('rejects %s', (_, value, reason) => {
    expect(() => renderChart('production', [...withKeda, value])).toThrow(reason)
  })

  test('has no port for replies by mail without an address for them', () => {
    const text = JSON.stringify(renderChart('production'))
    expect(text).not.toContain('"replies"')
    expect(text).not.toContain('2525')
  })

  test('runs migrations first, after the Secret exists', () => {
    const hooks = renderings['Helm small']?.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'])
    const weights = hooks?.map(({ kind, metadata }) => [kind, metadata.annotations?.['helm.sh/hook-weight']])
    expect(weights?.map((each) => each.join(' ')).sort()).toEqual([
      'Job 0',
      'Job 0',
      'Job 0',
      'NetworkPolicy -5',
      'Secret -10',
    ])
    const whenOf = (wanted: string) =>
      hooks?.filter(({ kind }) => kind === wanted).map((each) => each.metadata.annotations?.['helm.sh/hook'])
    expect(new Set(whenOf('Job'))).toEqual(new Set(['pre-install,pre-upgrade']))
    // It is reverted with the release, since pods of the previous release read it as it was; databases are not reverted.
    expect(whenOf('Secret')).toEqual(['pre-install,pre-upgrade,pre-rollback'])
  })

  test('lets migrations reach a moved database before it replaces the policies of the previous release', () => {
    const network = [{ ipBlock: { cidr: '10.1.2.0/24' } }]
    const objects = renderChart('production', [
      `networkPolicies.postgresql=${JSON.stringify(network)}`,
      'networkPolicies.ports.postgresql=[6432]',
    ])
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy')
    const named = (name: string) =>
      policies.find(({ metadata }) => metadata.name === `tms-${name}`) as KubernetesObject
    const [hook, dns, migrations] = [named('migrate'), named('dns'), named('migrations')]
    const when = ['helm.sh/hook', 'helm.sh/hook-delete-policy'].map((key) => hook.metadata.annotations?.[key])
    // It is deleted once all migrations are done: nothing would delete it later.
    expect(when).toEqual(['pre-install,pre-upgrade', 'before-hook-creation,hook-succeeded'])
    expect(hook.spec.podSelector).toEqual(migrations.spec.podSelector)
    expect(hook.spec.egress).toEqual([...(dns.spec.egress as []), ...(migrations.spec.egress as [])])
    expect(migrations.spec.egress).toEqual([{ to: network, ports: [{ protocol: 'TCP', port: 6432 }] }])
    const others = policies.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'])
    expect(others).toEqual([hook])
    const without = renderChart('production', ['networkPolicies.enabled=false'])
    expect(without.filter(({ kind }) => kind === 'NetworkPolicy')).toEqual([])
  })
})

describe('apply.sh', () => {
  /** A kubectl that records its calls, and reports the given Jobs and a service that is never ready. */
  const apply = ({
    args = ['overlays/mine'],
    complete = 'True\\nTrue\\n',
    failed = '\\n\\n',
    stuck = 'none',
    kinds = '',
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'kubectl-'))
    try {
      const rendered =
        "printf 'kind: Namespace\\nmetadata:\\n  name: chat\\n---\\nkind: Job\\nspec:\\n  activeDeadlineSeconds: 3600\\n---\\nkind: Job\\n"
      const script = `#!/bin/sh
echo "$*" | tr '\\n' ' ' >> ${folder}/asked; echo >> ${folder}/asked
case "$*" in
  kustomize*) ${rendered}${kinds}' ;; *Complete*) printf '${complete}' ;; *Failed*) printf '${failed}' ;;
  *"status deployment/${stuck}"*) exit 1 ;;
  *'apply view-last-applied'*) printf 'spec:\\n  replicas: 3\\n  template: {}\\n' ;;
  *'--filename -'*) cat >> ${folder}/given ;;
esac\n`
      writeFileSync(join(folder, 'kubectl'), script, { mode: 0o755 })
      writeFileSync(join(folder, 'asked'), '')
      writeFileSync(join(folder, 'given'), '')
      const { status, stderr } = spawnSync('sh', ['deploy/kubernetes/apply.sh', ...args], {
        cwd: repoRoot,
        encoding: 'utf8',
        env: { PATH: `${folder}:${process.env.PATH}` },
      })
      const asked = readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')
      const steps = asked.flatMap((line) =>
        [/delete jobs/, /(?<=--selector )tms-step=\S+/, /(?<=status )\S+/]
          .map((step) => (/apply|delete|rollout/.test(line) ? line.match(step)?.[0] : undefined))
          .filter((step) => step !== undefined)
          .slice(0, 1),
      )
      return { status, stderr, steps, asked, given: readFileSync(join(folder, 'given'), 'utf8') }
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  const replaced = (services: string) =>
    services
      .split(' ')
      .flatMap((service) => [`tms-step=run,app.kubernetes.io/name=${service}`, `deployment/${service}`])
  const untilMigrations = ['tms-step=prepare', 'delete jobs', 'tms-step=migrate']

  test('upgrades services after migrations: consumers before producers, the gateway last', () => {
    const { status, steps } = apply({})
    expect(steps).toEqual([
      ...untilMigrations,
      ...replaced('events messaging users realm gateway'),
      'tms-step=run',
    ])
    expect(status).toBe(0)
  })

  test('downgrades in the opposite order, and leaves databases unchanged', () => {
    const { status, steps } = apply({ args: ['--back', 'overlays/mine'] })
    expect(steps).toEqual([
      'tms-step=prepare',
      ...replaced('gateway realm users messaging events'),
      'tms-step=run',
    ])
    expect(status).toBe(0)
  })

  test('changes no service if a migration fails', () => {
    const { status, steps } = apply({ complete: 'True\\n\\n', failed: '\\nTrue\\n' })
    expect(steps).toEqual(untilMigrations)
    expect(status).toBe(1)
  })

  test('stops at a service whose rollout fails', () => {
    const { status, stderr, steps } = apply({ stuck: 'messaging' })
    expect(steps).toEqual([...untilMigrations, ...replaced('events messaging')])
    expect(stderr).toContain('messaging is not replaced')
    expect(status).toBe(1)
  })

  test('gives migrations the minutes that it waits for them', () => {
    expect(apply({}).given).toContain('activeDeadlineSeconds: 3600\n')
    expect(apply({ args: ['overlays/mine', '180'] }).given).toContain('activeDeadlineSeconds: 10800\n')
  })

  test.each(['soon', '0', '1.5'])('rejects %s minutes', (minutes) => {
    const { status, steps } = apply({ args: ['overlays/mine', minutes] })
    expect([status, steps]).toEqual([2, []])
  })

  test('leaves the number of replicas alone when an autoscaler takes over', () => {
    const { status, asked, given } = apply({ kinds: '---\\nkind: HorizontalPodAutoscaler\\n' })
    const output = asked.filter((line) => line.includes('apply set-last-applied'))
    expect(output).toHaveLength(5)
    expect(given).toContain('template: {}')
    expect(given).not.toContain('replicas')
    expect(status).toBe(0)
    expect(apply({}).asked.filter((line) => line.includes('last-applied'))).toEqual([])
  })

  test.each([[[]], [['--help']]])('prints its usage: %j', (args) => {
    const { status, stderr } = apply({ args })
    expect(stderr).toContain('./apply.sh overlays/production')
    expect(status).toBe(2)
  })

  test.each(['prepare', 'migrate', 'run'])('has objects to apply in the step %s', (step) => {
    const labelled = renderings['kustomize small']?.map(({ metadata }) => metadata.labels?.['tms-step'])
    expect(labelled).toContain(step)
    expect(labelled).not.toContain(undefined)
  })
})

describe('alerts', () => {
  const rules = all
    .filter(({ kind }) => kind === 'PrometheusRule')
    .flatMap(({ spec }) => (spec.groups as { rules: { alert: string; expr: string }[] }[])[0]?.rules ?? [])

  test('have a section in the runbook each, and no section lacks its alert', () => {
    const sections = [...read('docs/runbook.md').matchAll(/^## (Tms\w+)$/gm)].map(([, name]) => name)
    expect(sections.sort()).toEqual([...new Set(rules.map(({ alert }) => alert))].sort())
  })

  test('use only metrics that services have', () => {
    const known = [...listFiles('services'), ...listFiles('libs')]
      .filter((path) => /\/src\/.*(?<!\.test)\.ts$/.test(path))
      .map(read)
      .join('\n')
    const builtIn = ['up', 'nodejs_eventloop_lag_p99_seconds']
    const used = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/([a-z][a-z0-9_]+)\{/g)].map(([, name]) => name),
    )
    const missing = used
      .map((name) => `${name}`.replace(/_(count|bucket)$/, ''))
      .filter((name) => !builtIn.includes(name) && !known.includes(`'${name}'`))
    expect(missing).toEqual([])
    expect(used.length).toBeGreaterThan(10)
  })
})
