import { describe, expect, test } from 'vitest'
import { legacyPolicyNames } from '../permissions/legacy-policies.ts'
import { realmProjection } from './records.ts'
import { realmSettingParameters } from './setting-parameters.ts'
import { settingsForClients } from './settings.ts'

/** Settings that the server refuses or keeps fixed, those that realm alone uses, and those that stand for permissions. */
const OTHERS: readonly string[] = [
  'authentication_methods',
  'string_id',
  'audit_log_retention_days',
  ...legacyPolicyNames,
]

describe('settings of an organization', () => {
  test.each(Object.keys(realmSettingParameters).filter((name) => !OTHERS.includes(name)))(
    '%s is published to the services that use it, or is listed as for clients only',
    (name) => {
      expect(name in realmProjection.shape).toBe(!(name in settingsForClients))
    },
  )
})
