import { expect, test } from 'vitest'
import { checkMayDelete } from './deletion.rules.ts'

const NOW = 1_800_000_000_000
const limited = { message_content_delete_limit_seconds: 600 }
const unlimited = { message_content_delete_limit_seconds: null }

test.each([
  ['own', ['own'], 600, limited, true],
  ['own', ['own'], 600.001, limited, false],
  ['own', ['own'], 1e9, unlimited, true],
  ['own', [], 1, limited, false],
  ['another’s', ['own'], 1, limited, false],
  ['another’s', ['any'], 1e9, limited, true],
  ['own', ['any'], 1e9, limited, true],
] as const)(
  '%s message with the permission to delete %j after %s s under %j: %s',
  (whose, may, age, realm, expected) => {
    const permissions: readonly string[] = may
    const request = {
      mayDeleteAny: permissions.includes('any'),
      mayDeleteOwn: permissions.includes('own'),
      isOwn: whose === 'own',
      sentAtMs: NOW - age * 1000,
      nowMs: NOW,
    }
    const check = () => checkMayDelete(realm, request)
    if (expected) expect(check).not.toThrow()
    else expect(check).toThrow()
  },
)
