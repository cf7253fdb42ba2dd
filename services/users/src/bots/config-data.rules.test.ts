import { BotType, limits } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { mergeConfigData } from './config-data.rules.ts'

const { generic, incomingWebhook, outgoingWebhook } = BotType

describe('mergeConfigData', () => {
  test('replaces sent keys and leaves the others', () => {
    const present = { color: 'red', size: '1' }

    expect(mergeConfigData(present, { botType: generic, configData: { size: '2', shape: 'x' } })).toEqual({
      color: 'red',
      size: '2',
      shape: 'x',
    })
    expect(mergeConfigData(present, { botType: generic })).toEqual(present)
  })

  test('stores the integration of incoming webhooks only', () => {
    const data = { serviceName: 'tickets', configData: { branches: 'main' } }

    expect(mergeConfigData({}, { botType: incomingWebhook, ...data })).toEqual({
      integration_id: 'tickets',
      branches: 'main',
    })
    expect(mergeConfigData({}, { botType: generic, ...data })).toEqual({ branches: 'main' })
  })

  test('refuses configuration of an outgoing webhook', () => {
    expect(mergeConfigData({}, { botType: outgoingWebhook, configData: {} })).toEqual({})
    expect(() => mergeConfigData({}, { botType: outgoingWebhook, configData: { a: 'b' } })).toThrow(
      /no configur/,
    )
  })

  test('limits the characters of existing and new keys together', () => {
    const rest = limits.maxBotConfigCharacters - 2
    const data = (value: string) => ({ botType: generic, configData: { b: value } })

    expect(mergeConfigData({ a: '' }, data('🦉'.repeat(rest)))).toMatchObject({ a: '' })
    expect(() => mergeConfigData({ a: '' }, data('x'.repeat(rest + 1)))).toThrow(/10001/)
  })
})
