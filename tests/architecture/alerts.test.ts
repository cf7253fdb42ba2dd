import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findInPath } from '@tms/local-system'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { read, repoRoot } from './support/repository.ts'

interface Rule {
  readonly alert: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}
/** Series with their values, one every 15 seconds, in promtool's notation. */
type Series = Readonly<Record<string, string>>

const RULES = join(repoRoot, 'deploy/observability/alerts.yaml')
const { groups } = parse(read('deploy/observability/alerts.yaml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

const promtool = findInPath(['promtool'], process.env)
const folder = mkdtempSync(join(tmpdir(), 'tms-alerts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Lets promtool check after 20 minutes whether an alert fires, once for each of these label sets, beside the labels of the
 * rule.
 */
function expectFiring(alert: string, series: Series, firing: readonly Readonly<Record<string, string>>[]) {
  const [rule] = rules.filter((each) => each.alert === alert)
  const [eval_time, interval] = ['20m', '15s']
  const exp_alerts = firing.map((labels) => ({
    exp_labels: { ...rule?.labels, ...labels },
    exp_annotations: rule?.annotations,
  }))
  const tested = {
    interval,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [{ eval_time, alertname: alert, exp_alerts }],
  }
  const path = join(folder, 'test.yaml')
  // JSON is valid YAML.
  writeFileSync(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: interval, tests: [tested] }))
  const run = () => execFileSync(promtool ?? '', ['test', 'rules', path], { encoding: 'utf8', stdio: 'pipe' })
  expect(rule).toBeDefined()
  expect(run()).toContain('SUCCESS')
}

/** Completed requests of a gateway endpoint, in buckets up to a second and to 60. */
const requests = (endpoint: string, fast: number, slow: number): Series => {
  const labels = (le: string) =>
    `http_request_duration_seconds_bucket{job="tms-gateway", endpoint="${endpoint}", le="${le}"}`
  const counted = (each: number) => `0+${each}x100`
  return {
    [labels('1')]: counted(fast),
    [labels('60')]: counted(fast + slow),
    [labels('+Inf')]: counted(fast + slow),
  }
}

// From Debian's package prometheus; without it these tests are reported as skipped.
const describeWithPromtool = promtool === null ? describe.skip : describe
describeWithPromtool('alerts', () => {
  const replica = (name: string, job: string, pod: string, stream?: string) =>
    `${name}{job="${job}", pod="${pod}", instance="${pod}:8080"${stream ? `, stream="${stream}"` : ''}}`
  const relaying = replica('outbox_lag_seconds', 'tms-messaging', 'a')
  const idle = replica('outbox_lag_seconds', 'tms-messaging', 'b')

  test('fire when RabbitMQ is down, even if few events are pending', () => {
    const away = { [relaying]: '0x20 15+15x100', [idle]: '0x120' }
    expectFiring('TmsOutboxBehind', away, [{ job: 'tms-messaging' }])
    const kept = { [replica('outbox_relay_active', 'tms-messaging', 'a')]: '1x120' }
    expectFiring('TmsOutboxWithoutRelay', kept, [])
  })

  test('do not fire while an outbox is published, even if it is briefly late', () => {
    expectFiring('TmsOutboxBehind', { [relaying]: '0x76 90x2 0x100', [idle]: '0x120' }, [])
  })

  test('fire when an outbox is not published', () => {
    const inactive = (pod: string) => replica('outbox_relay_active', 'tms-users', pod)
    expectFiring('TmsOutboxWithoutRelay', { [inactive('a')]: '0x120', [inactive('b')]: '0x120' }, [
      { job: 'tms-users' },
    ])
  })

  test('fire while messages are refused, not after a single one', () => {
    const refused = replica('messages_refused_total', 'tms-messaging', 'a')
    expectFiring('TmsMessagesRefused', { [refused]: '0+3x100' }, [{}])
    expectFiring('TmsMessagesRefused', { [refused]: '0x70 1x30' }, [])
  })

  test('fire when every relay is stalled, not when one still works', () => {
    const stalled = (pod: string) => replica('outbox_relay_stalled_seconds', 'tms-realm', pod)
    expectFiring('TmsOutboxRelayStalled', { [stalled('a')]: '0+15x100', [stalled('b')]: '0+15x100' }, [
      { job: 'tms-realm' },
    ])
    expectFiring('TmsOutboxRelayStalled', { [stalled('a')]: '0+15x100' }, [{ job: 'tms-realm' }])
    expectFiring('TmsOutboxRelayStalled', { [stalled('a')]: '0+15x100', [stalled('b')]: '0x100' }, [])
  })

  test('fire when no replica consumes projections, not when a single one does not', () => {
    const stalled = (pod: string) => replica('stream_stalled_seconds', 'tms-messaging', pod, 'projections')
    expectFiring('TmsProjectionsStalled', { [stalled('a')]: '0+15x100', [stalled('b')]: '0+15x100' }, [
      { job: 'tms-messaging' },
    ])
    expectFiring('TmsProjectionsStalled', { [stalled('a')]: '0+15x100', [stalled('b')]: '0x100' }, [])
  })

  test('fire when no replica stores the audit log, not when a single one does not', () => {
    const stalled = (pod: string) => replica('stream_stalled_seconds', 'tms-realm', pod, 'audit')
    expectFiring('TmsAuditLogStalled', { [stalled('a')]: '0+15x100', [stalled('b')]: '0+15x100' }, [{}])
    expectFiring('TmsAuditLogStalled', { [stalled('a')]: '0+15x100', [stalled('b')]: '0x100' }, [])
  })

  test('fire when entries of the audit log are not published', () => {
    const waiting = replica('outbox_audit_lag_seconds', 'tms-messaging', 'a')
    expectFiring('TmsAuditEntriesNotPublished', { [waiting]: '0+15x100' }, [{ job: 'tms-messaging' }])
  })

  test('fire when a push service refuses much of what it gets, in a small installation too', () => {
    const of = (outcome: string) =>
      `pushes_total{job="tms-users", namespace="team-messaging", push_service="fcm", outcome="${outcome}"}`
    const firing = [{ namespace: 'team-messaging', push_service: 'fcm' }]
    const four = '0x20 1x4 2x4 3x4 4x4 5x80'
    expectFiring('TmsPushesRefused', { [of('refused')]: four, [of('sent')]: '0x120' }, firing)
    expectFiring('TmsPushesRefused', { [of('refused')]: '0+1x120', [of('sent')]: '0+10x120' }, firing)
    expectFiring('TmsPushesRefused', { [of('refused')]: four, [of('sent')]: '0+10x120' }, [])
    expectFiring('TmsPushesRefused', { [of('refused')]: '0x20 1x100', [of('sent')]: '0x120' }, [])
  })

  test('fire for the push service that is late', () => {
    const lag = (service: string) => `push_delivery_lag_seconds{job="tms-users", push_service="${service}"}`
    const lags = { [lag('apns')]: '0+15x120', [lag('web_push')]: '0x120' }
    expectFiring('TmsPushesLate', lags, [{ push_service: 'apns' }])
  })

  test('fire when no replica of a service responds', () => {
    const up = (service: string, pod: string) => replica('up', `tms-${service}`, pod)
    const others = { [up('users', 'a')]: '1x120', [up('users', 'b')]: '0x120' }
    const [rule] = rules.filter(
      ({ alert, labels }) => alert === 'TmsServiceDown' && labels['job'] === 'tms-users',
    )
    expect(rule).toBeDefined()
    const services = rules.flatMap(({ alert, labels }) =>
      alert === 'TmsServiceDown' ? [`${labels['job']}`] : [],
    )
    const missing = services.filter((job) => job !== 'tms-users')
    expectFiring(
      'TmsServiceDown',
      others,
      missing.map((job) => ({ job })),
    )
  })

  test('fire on slow responses, except for files and polls, whose time depends on clients', () => {
    expectFiring('TmsSlowRequests', requests('sendMessage', 90, 10), [{}])
    const paced = ['getEvents', 'uploadFile', 'getFile', 'getExportArchive'].map((name) =>
      requests(name, 0, 10),
    )
    expectFiring('TmsSlowRequests', Object.assign(requests('sendMessage', 100, 0), ...paced), [])
  })

  test('fire while events reach waiting clients late, not after a single peak', () => {
    const within = (le: string) => `event_delivery_seconds_bucket{job="tms-events", le="${le}"}`
    const delivered = (within5s: string, all: string): Series => ({
      [within('1')]: within5s,
      [within('5')]: within5s,
      [within('10')]: all,
      [within('+Inf')]: all,
    })
    expectFiring('TmsDeliveriesLate', delivered('0+98x100', '0+100x100'), [{}])
    expectFiring('TmsDeliveriesLate', delivered('0+100x100', '0+100x100'), [])
    expectFiring('TmsDeliveriesLate', delivered('0+10x100', '0+10x68 740+10x31'), [])
  })

  test('fire when partitions have no owner', () => {
    const owned = (pod: string) => replica('event_partitions_owned', 'tms-events', pod)
    expectFiring('TmsPartitionsWithoutOwner', { [owned('a')]: '8x120', [owned('b')]: '7x120' }, [{}])
    expectFiring('TmsPartitionsWithoutOwner', { [owned('a')]: '8x120', [owned('b')]: '8x120' }, [])
  })

  test('fire when one replica cannot reach a server for longer than a moment', () => {
    const missing = (dependency: string, pod: string) =>
      `dependency_missing{job="tms-events", pod="${pod}", instance="${pod}:8080", dependency="${dependency}"}`
    const series = {
      [missing('redis', 'a')]: '0x20 1x100',
      [missing('rabbitmq', 'a')]: '0x78 1x2 0x100',
      [missing('redis', 'b')]: '0x120',
    }
    const named = { job: 'tms-events', pod: 'a', instance: 'a:8080', dependency: 'redis' }
    expectFiring('TmsDependencyMissing', series, [named])
  })

  test('fire for a certificate in its last week, naming the replica', () => {
    const expires = (pod: string) => replica('tls_certificate_expires_seconds', 'tms-users', pod)
    // promtool's time starts in 1970.
    const series = { [expires('a')]: `${6 * 86_400}x120`, [expires('b')]: `${30 * 86_400}x120` }
    expectFiring('TmsCertificateExpires', series, [{ job: 'tms-users', pod: 'a', instance: 'a:8080' }])
  })
})
