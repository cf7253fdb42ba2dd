import { BotType, limits } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { configAfter } from './config-data.rules.ts'

const { generic, incomingWebhook, outgoingWebhook } = BotType

describe('how a bot is configured', () => {
  test('is what it was, with what was sent in place of it', () => {
    const present = { color: 'red', size: '1' }

    expect(configAfter(present, { botType: generic, configData: { size: '2', shape: 'x' } })).toEqual({
      color: 'red',
      size: '2',
      shape: 'x',
    })
    expect(configAfter(present, { botType: generic })).toEqual(present)
  })

  test('names the integration of an incoming webhook, and of no other bot', () => {
    const asked = { serviceName: 'tickets', configData: { branches: 'main' } }

    expect(configAfter({}, { botType: incomingWebhook, ...asked })).toEqual({
      integration_id: 'tickets',
      branches: 'main',
    })
    expect(configAfter({}, { botType: generic, ...asked })).toEqual({ branches: 'main' })
  })

  test('is nothing for an outgoing webhook', () => {
    expect(configAfter({}, { botType: outgoingWebhook, configData: {} })).toEqual({})
    expect(() => configAfter({}, { botType: outgoingWebhook, configData: { a: 'b' } })).toThrow(/no configur/)
  })

  test('can have as many characters as the limit says, with those that it has', () => {
    const rest = limits.maxBotConfigCharacters - 2
    const asked = (value: string) => ({ botType: generic, configData: { b: value } })

    expect(configAfter({ a: '' }, asked('🦉'.repeat(rest)))).toMatchObject({ a: '' })
    expect(() => configAfter({ a: '' }, asked('x'.repeat(rest + 1)))).toThrow(/10001/)
  })
})
