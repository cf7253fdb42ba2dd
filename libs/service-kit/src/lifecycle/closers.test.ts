import { expect, test } from 'vitest'
import { createLog } from '../telemetry/log.ts'
import { Closers } from './closers.ts'

const never = () => new Promise<never>(() => {})

test('resources are closed in reverse order, even if one fails or hangs', async () => {
  const closed: string[] = []
  const closers = new Closers(createLog('test', 'silent'))
  closers.add('first', 'a', (name) => closed.push(name))
  closers.add('hanging', 'b', never, 20)
  closers.add('failing', 'c', () => Promise.reject(new Error('no')))
  closers.add('last', 'd', (name) => closed.push(name))

  await closers.closeAll()
  expect(closed).toEqual(['d', 'a'])
})

test('a resource with a longer time limit is waited for', async () => {
  const closed: string[] = []
  const closers = new Closers(createLog('test', 'silent'))
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  closers.add('what it uses', 'pool', (name) => closed.push(name))
  closers.add('patient', 'server', (name) => finished.then(() => closed.push(name)), 60_000)
  closers.add('impatient', 'relay', never, 20)

  const ended = closers.closeAll()
  await new Promise((resolve) => setImmediate(resolve))
  finish()
  await ended
  expect(closed).toEqual(['server', 'pool'])
})
