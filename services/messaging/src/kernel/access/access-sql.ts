import { type AccessRule, type ConditionsOf, type Ground, isMet, type Role } from '@tms/contracts'

/** SQL: whether somebody's role is at least as powerful as one. */
export type HasRole = (role: Role) => string

/**
 * Conditions of an access rule in a statement. Each is an SQL expression, or a value if it is the same for all rows and
 * known beforehand. An expression is never null, but for `role`, which is null for an unknown user: nobody.
 */
type SqlConditions<C> = {
  readonly [K in keyof C]: ConditionsOf<C>[K] | string | (K extends 'role' ? HasRole : never)
}

/** SQL: whether the rule allows it for a row, as `allows` decides in one case. Omits conditions that are known beforehand. */
export const allowsSql = <C>(rule: AccessRule<C>, conditions: SqlConditions<NoInfer<C>>): string =>
  every(undecided(rule, conditions).map((grounds) => some(grounds.map(every))))

/** SQL: whether the rule refuses it. Unlike `not` before `allowsSql`, it lets PostgreSQL make an anti-join of `exists`. */
export const refusesSql = <C>(rule: AccessRule<C>, conditions: SqlConditions<NoInfer<C>>): string =>
  some(undecided(rule, conditions).map((grounds) => every(grounds.map((ground) => `not ${every(ground)}`))))

/**
 * The part of a rule that depends on the row: for each list of grounds, the grounds that may hold, each as its conditions in
 * SQL. Omits lists with a ground that surely holds.
 */
function undecided<C>(rule: AccessRule<C>, conditions: SqlConditions<C>): string[][][] {
  return rule
    .map((grounds) => grounds.flatMap((ground) => openConditions(ground, conditions)))
    .filter((grounds) => grounds.every((asked) => asked.length > 0))
}

/** The conditions of a ground that depend on the row, in a list of one; an empty list if the ground can't hold. */
function openConditions<C>(ground: Ground<C>, conditions: SqlConditions<C>): [string[]] | [] {
  const open: string[] = []
  for (const name in ground) {
    const condition: string | HasRole | boolean | number | null = conditions[name]
    const asked: Role | boolean | undefined = ground[name]
    if (typeof condition === 'string' || typeof condition === 'function') open.push(toSql(condition, asked))
    else if (!isMet(condition, asked)) return []
  }
  return [open]
}

function toSql(expression: string | HasRole, asked: Role | boolean | undefined): string {
  if (typeof asked !== 'number') return asked === true ? String(expression) : `not ${String(expression)}`
  return typeof expression === 'function' ? expression(asked) : `coalesce(${expression} <= ${asked}, false)`
}

const every = (conditions: readonly string[]): string => join(conditions, ' and ', 'true')
const some = (conditions: readonly string[]): string => join(conditions, ' or ', 'false')

function join(conditions: readonly string[], operator: string, none: string): string {
  const [first = none] = conditions
  return conditions.length > 1 ? `(${conditions.join(operator)})` : first
}
