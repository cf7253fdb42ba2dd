import { expect, test } from 'vitest'
import { startAsideWork } from './aside-work.ts'

const PATIENCE_MS = 20

test('a task that hangs keeps nobody waiting, and is not begun again before it ends', async () => {
  const work = startAsideWork(PATIENCE_MS)
  const begun: number[] = []
  let release = () => {}
  const hanging = new Promise<void>((resolve) => {
    release = resolve
  })
  const task = async (number: number) => {
    begun.push(number)
    if (number === 1) await hanging
  }

  await work.onEach([1, 2], 'renew', task)
  await work.onEach([1, 2], 'renew', task)
  expect(begun).toEqual([1, 2, 2])

  release()
  await new Promise(setImmediate)
  await work.onEach([1], 'renew', task)
  expect(begun).toEqual([1, 2, 2, 1])
})

test('what fails is told once, and the others are done', async () => {
  const work = startAsideWork(PATIENCE_MS)
  const done: number[] = []
  await work.onEach([1, 2], 'place', async (number) => {
    if (number === 1) throw new Error('its master is away')
    done.push(number)
  })

  expect(done).toEqual([2])
  expect(() => work.throwFailure()).toThrow('its master is away')
  expect(() => work.throwFailure()).not.toThrow()
})
