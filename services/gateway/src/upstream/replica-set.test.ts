import { expect, test } from 'vitest'
import { ReplicaSet } from './replica-set.ts'

const urls = ['http://a:1', 'http://b:2', 'http://c:3']

function setUp() {
  const clock = { time: 0 }
  const replicas = new ReplicaSet(urls, () => clock.time)
  return {
    clock,
    replicas,
    pickHosts: (count: number) => Array.from({ length: count }, () => replicas.pick().host),
  }
}

test('replicas are used in turn', () => {
  expect(setUp().pickHosts(4)).toEqual(['a:1', 'b:2', 'c:3', 'a:1'])
})

test('a failed replica is skipped for a second', () => {
  const { clock, replicas, pickHosts } = setUp()
  replicas.penalize(replicas.pick())
  expect(pickHosts(3)).toEqual(['b:2', 'c:3', 'b:2'])
  clock.time = 1_000
  expect(pickHosts(3)).toEqual(['c:3', 'a:1', 'b:2'])
})

test('if all failed, the one that failed first is tried', () => {
  const { clock, replicas, pickHosts } = setUp()
  for (let i = 0; i < 3; i++) {
    replicas.penalize(replicas.pick())
    clock.time += 10
  }
  expect(pickHosts(2)).toEqual(['a:1', 'a:1'])
})

test('an unresponsive replica is skipped until it answers, and ranks behind failed ones', () => {
  const { replicas, pickHosts } = setUp()
  const [a, b, c] = replicas.all
  if (!a || !b || !c) throw new Error('three are named')
  a.isUnresponsive = true
  expect(pickHosts(4)).toEqual(['b:2', 'c:3', 'b:2', 'c:3'])
  replicas.penalize(b)
  c.isUnresponsive = true
  expect(pickHosts(2)).toEqual(['b:2', 'b:2'])
  b.isUnresponsive = true
  expect(pickHosts(1)).toHaveLength(1)
})

test('a replica that leaves is skipped until it answers again as one that stays, and ranks before failed ones', () => {
  const { clock, replicas, pickHosts } = setUp()
  const [a, b, c] = replicas.all
  if (!a || !b || !c) throw new Error('three are named')
  replicas.setLeaving(a, true)
  expect(pickHosts(3)).toEqual(['b:2', 'c:3', 'b:2'])
  clock.time = 10
  replicas.setLeaving(b, true)
  replicas.setLeaving(a, true)
  replicas.penalize(c)
  expect(pickHosts(2)).toEqual(['a:1', 'a:1'])
  replicas.penalize(a)
  expect(pickHosts(2)).toEqual(['b:2', 'b:2'])
  clock.time = 1_010
  expect(pickHosts(2)).toEqual(['c:3', 'c:3'])
  replicas.setLeaving(a, false)
  expect(new Set(pickHosts(4))).toEqual(new Set(['a:1', 'c:3']))
})

test('addresses may leave out the port or be IPv6', () => {
  const replicas = new ReplicaSet(['http://users', 'http://[::1]:81'], () => 0)
  expect(replicas.pick()).toMatchObject({ hostname: 'users', port: 80, host: 'users' })
  expect(replicas.pick()).toMatchObject({ hostname: '::1', port: 81, host: '[::1]:81' })
})
