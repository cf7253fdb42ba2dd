import { type AccessRule, type ConditionsOf, type Ground, isMet } from '@tms/contracts'

/**
 * Conditions of an access rule in a statement. Each is an SQL expression, or a value if it is the same for all rows and
 * known beforehand. An expression is never null, but for `role`, which is null for an unknown user: nobody.
 */
type SqlConditions<C> = { readonly [K in keyof C]: ConditionsOf<C>[K] | string }

/** SQL: whether the rule allows it, as `allows` decides in one case. What is known beforehand leaves no trace in it. */
export const allowsSql = <C>(rule: AccessRule<C>, conditions: SqlConditions<NoInfer<C>>): string =>
  every(undecided(rule, conditions).map((grounds) => some(grounds.map(every))))

/** SQL: whether the rule refuses it. Unlike `not` before `allowsSql`, it lets PostgreSQL make an anti-join of `exists`. */
export const refusesSql = <C>(rule: AccessRule<C>, conditions: SqlConditions<NoInfer<C>>): string =>
  some(undecided(rule, conditions).map((grounds) => every(grounds.map((ground) => `not ${every(ground)}`))))

/** Of each list of grounds without one that surely holds: the grounds that may hold, each as what it still asks for. */
function undecided<C>(rule: AccessRule<C>, conditions: SqlConditions<C>): string[][][] {
  return rule
    .map((grounds) => grounds.flatMap((ground) => openConditions(ground, conditions)))
    .filter((grounds) => grounds.every((asked) => asked.length > 0))
}

/** What a ground asks for beyond what is known; nothing if it can't hold. */
function openConditions<C>(ground: Ground<C>, conditions: SqlConditions<C>): [string[]] | [] {
  const open: string[] = []
  for (const name in ground) {
    const condition: string | boolean | number | null = conditions[name]
    const asked = ground[name]
    if (typeof condition === 'string') open.push(toSql(condition, asked))
    else if (!isMet(condition, asked)) return []
  }
  return [open]
}

function toSql(expression: string, asked: boolean | number | undefined): string {
  if (typeof asked === 'number') return `coalesce(${expression} <= ${asked}, false)`
  return asked === true ? expression : `not ${expression}`
}

const every = (conditions: readonly string[]): string => join(conditions, ' and ', 'true')
const some = (conditions: readonly string[]): string => join(conditions, ' or ', 'false')

function join(conditions: readonly string[], operator: string, none: string): string {
  const [first = none] = conditions
  return conditions.length > 1 ? `(${conditions.join(operator)})` : first
}

type ChannelColumn = 'isArchived' | 'isWebPublic' | 'isPrivate' | 'sharesHistory'

/** SQL: the conditions of access rules that are columns of a channel. */
export const channelColumns = (table: string): Record<ChannelColumn, string> => ({
  isArchived: `${table}.is_archived`,
  isWebPublic: `${table}.is_web_public`,
  isPrivate: `${table}.invite_only`,
  sharesHistory: `${table}.history_public_to_subscribers`,
})

/**
 * SQL: the last published role of a user. It decides, so that results fit the events that the user's clients have
 * received.
 */
export const PUBLISHED_ROLE = 'known_users.published_role'
