import type { RowGroup } from './change-row.ts'
import { access } from './rows/access.ts'
import { accountPolicies } from './rows/account-policies.ts'
import { botRows } from './rows/bots.ts'
import { channelPolicies } from './rows/channel-policies.ts'
import { groupRows } from './rows/groups.ts'
import { messagePolicies } from './rows/message-policies.ts'
import { names } from './rows/names.ts'
import { activity, organizationRows } from './rows/organization.ts'
import { ownSettings } from './rows/own-settings.ts'
import { texts } from './rows/texts.ts'

/** Every kind of change in users and realm, each with a use that depends on it. */
export const rowGroups: readonly RowGroup[] = [
  access,
  accountPolicies,
  activity,
  botRows,
  channelPolicies,
  groupRows,
  messagePolicies,
  names,
  organizationRows,
  ownSettings,
  texts,
]

/** The rows that also run by their events, which may come before the change is acknowledged. */
export const eventRowGroups: readonly RowGroup[] = rowGroups.flatMap(({ subject, rows }) => {
  const byEvent = rows.filter(({ isRunByEvent }) => isRunByEvent)
  return byEvent.length === 0 ? [] : [{ subject, rows: byEvent }]
})
