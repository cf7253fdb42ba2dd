import { expect, test } from 'vitest'
import type { Context } from '../kernel/context.ts'
import { endRecorded } from './record-end.ts'

const end = { owner: { realmId: 1, userId: 2 }, ended: 'all', requestId: 'a request' } as const

test('no session ends before its entry is committed, and none if that fails', async () => {
  const steps: string[] = []
  const ending = async () => void steps.push('ended')
  const committing = { transact: async () => void steps.push('committed') } as unknown as Context
  await endRecorded(committing, end, ending)
  expect(steps).toEqual(['committed', 'ended'])

  const failing = { transact: () => Promise.reject(new Error('no database')) } as unknown as Context
  await expect(endRecorded(failing, end, ending)).rejects.toThrow('no database')
  expect(steps).toEqual(['committed', 'ended'])
})
