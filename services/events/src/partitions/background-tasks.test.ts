import { expect, test } from 'vitest'
import { createBackgroundTasks } from './background-tasks.ts'

const MAX_WAIT_MS = 20

test('does not wait for a task that hangs, nor starts it again before it ends', async () => {
  const tasks = createBackgroundTasks(MAX_WAIT_MS)
  const started: number[] = []
  let release = () => {}
  const hanging = new Promise<void>((resolve) => {
    release = resolve
  })
  const task = async (number: number) => {
    started.push(number)
    if (number === 1) await hanging
  }

  await tasks.runEach([1, 2], 'renew', task)
  await tasks.runEach([1, 2], 'renew', task)
  expect(started).toEqual([1, 2, 2])

  release()
  await new Promise(setImmediate)
  await tasks.runEach([1], 'renew', task)
  expect(started).toEqual([1, 2, 2, 1])
})

test('throws a failure once, and completes the other tasks', async () => {
  const tasks = createBackgroundTasks(MAX_WAIT_MS)
  const done: number[] = []
  await tasks.runEach([1, 2], 'assign', async (number) => {
    if (number === 1) throw new Error('master is unavailable')
    done.push(number)
  })

  expect(done).toEqual([2])
  expect(() => tasks.throwFailure()).toThrow('master is unavailable')
  expect(() => tasks.throwFailure()).not.toThrow()
})
