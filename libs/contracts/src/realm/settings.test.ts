import { describe, expect, test } from 'vitest'
import { realmProjection } from './records.ts'
import { realmSettingParameters } from './setting-parameters.ts'
import { settingsForClients } from './settings.ts'

/** Those that are there to be refused or fixed by the server. */
const OTHERS = ['authentication_methods', 'string_id']

describe('settings of an organization', () => {
  test.each(Object.keys(realmSettingParameters).filter((name) => !OTHERS.includes(name)))(
    '%s is told to the services that act on it, or is for clients, with the reason',
    (name) => {
      expect(name in realmProjection.shape).toBe(!(name in settingsForClients))
    },
  )
})
