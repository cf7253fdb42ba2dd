import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pathOf } from '../../tools/kubernetes/clients.ts'
import { type KubernetesObject, renderOverlay } from './support/kubernetes-renderings.ts'
import { findFault } from './support/kubernetes-schemas.ts'
import { repoRoot } from './support/repository.ts'

interface PodSpec {
  readonly containers: readonly Readonly<Record<string, unknown>>[]
  readonly securityContext: unknown
  readonly volumes: unknown
}

const deployments = renderOverlay('production').filter(({ kind }) => kind === 'Deployment')

/** A kubectl that reads Deployments from files instead of a cluster, and records the pod that it should run. */
function runOnce(args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-'))
  try {
    for (const object of deployments)
      writeFileSync(join(folder, `${object.metadata.name}.json`), JSON.stringify(object))
    const script = `#!/bin/sh
case "$3" in
  get) [ -e ${folder}/$5.json ] || { echo "$5 not found" >&2; exit 1; }
    exec ${pathOf('kubectl')} label --local --filename ${folder}/$5.json any=label "$6" "$7" ;;
  run) for each in "$@"; do pod=$each; done; printf '%s' "$pod" > ${folder}/pod; echo "$*" > ${folder}/asked ;;
esac\n`
    writeFileSync(join(folder, 'kubectl'), script, { mode: 0o755 })
    for (const name of ['pod', 'asked']) writeFileSync(join(folder, name), '')
    const { status, stderr } = spawnSync('sh', ['deploy/kubernetes/run-once.sh', ...args], {
      cwd: repoRoot,
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder },
    })
    const [pod, asked] = ['pod', 'asked'].map((name) => readFileSync(join(folder, name), 'utf8'))
    return { status, stderr, asked, pod: pod === '' ? null : (JSON.parse(`${pod}`) as KubernetesObject) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('run-once.sh', () => {
  test.each([
    ['messaging', 'dist/after-restore.js', '--keep-unpublished'],
    ['events', 'dist/end-queues.js'],
  ])('runs a program of %s with the settings of its pods and without a deadline', async (...args) => {
    const [deployment, ...program] = args
    const { status, pod, asked } = runOnce(['team-messaging', `${deployment}`, 'node', ...program])
    expect(status).toBe(0)
    expect(asked).toContain('--namespace team-messaging run')
    const object = deployments.find(({ metadata }) => metadata.name === deployment) as KubernetesObject
    const template = object.spec.template as { spec: PodSpec; metadata: unknown }
    const spec = pod?.spec as unknown as PodSpec
    const { env, securityContext, resources, image } = template.spec.containers[0] ?? {}
    expect(spec.containers).toEqual([
      expect.objectContaining({ env, securityContext, resources, image, command: ['node', ...program] }),
    ])
    for (const probe of ['livenessProbe', 'startupProbe', 'readinessProbe', 'lifecycle'])
      expect(spec.containers[0]).not.toHaveProperty(probe)
    expect(spec.securityContext).toEqual(template.spec.securityContext)
    expect(spec.volumes).toEqual(template.spec.volumes ?? [])
    // The labels that network policies match.
    expect(pod?.metadata).toEqual(template.metadata)
    const metadata = { ...pod?.metadata, name: 'once' }
    expect(await findFault({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...spec } })).toBeNull()
  })

  test('reports what is missing', () => {
    const { status, stderr, pod } = runOnce(['team-messaging', 'mesaging', 'node', 'dist/after-restore.js'])
    expect([status, stderr, pod]).toEqual([1, 'mesaging not found\n', null])
  })

  test.each([[[]], [['--help']], [['team-messaging', 'messaging']]])('prints its usage: %j', (args) => {
    const { status, stderr } = runOnce(args)
    expect(stderr).toContain('./run-once.sh team-messaging messaging node dist/after-restore.js')
    expect(status).toBe(2)
  })
})
