import type { UsersRecord } from '@tms/contracts'
import { expect, test } from 'vitest'
import { batchesOf } from './batches-of.ts'

async function* records(...kinds: [kind: UsersRecord['kind'], count: number][]): AsyncGenerator<UsersRecord> {
  for (const [kind, count] of kinds) for (let at = 0; at < count; at++) yield { kind } as UsersRecord
}

async function sizesOf(stream: AsyncIterable<UsersRecord>): Promise<[string, number][]> {
  const sizes: [string, number][] = []
  for await (const { kind, records: batch } of batchesOf(stream)) sizes.push([kind, batch.length])
  return sizes
}

test('batches consecutive records of one kind up to a maximum', async () => {
  expect(
    await sizesOf(records(['setting_defaults', 1], ['user', 450], ['bot', 200], ['invitation', 2])),
  ).toEqual([
    ['setting_defaults', 1],
    ['user', 200],
    ['user', 200],
    ['user', 50],
    ['bot', 200],
    ['invitation', 2],
  ])
})

test('limits the size of a batch of stored values', async () => {
  async function* stored(): AsyncGenerator<UsersRecord> {
    for (let at = 0; at < 5; at++)
      yield { kind: 'bot_storage', user_id: 1, key: `${at}`, value: 'x'.repeat(1_000_000) }
  }

  expect(await sizesOf(stored())).toEqual([
    ['bot_storage', 2],
    ['bot_storage', 2],
    ['bot_storage', 1],
  ])
})

test('yields no batch without records', async () => {
  expect(await sizesOf(records())).toEqual([])
})
