import type { Role } from '../permissions/role.ts'

/**
 * A sufficient reason for access: all of its conditions hold. `role` stands for that role and the more powerful ones, so
 * `Role.guest` is anybody with an account.
 */
export type Ground<C> = { readonly [K in keyof C]?: K extends 'role' ? Role : boolean }

/**
 * Decides whether a caller may see or do something. Each inner list contains alternative grounds: the rule allows it if at
 * least one ground of every list holds.
 */
export type AccessRule<C> = readonly (readonly Ground<C>[])[]

/** The values of conditions in one case; `role` is null for a spectator. */
export type ConditionsOf<C> = { readonly [K in keyof C]: K extends 'role' ? number | null : boolean }

/** The rule that one of the grounds holds. */
export const oneOf = <C>(...grounds: readonly Ground<C>[]): AccessRule<C> => [grounds]

/** The rule that both rules allow it. */
export const both = <A, B>(one: AccessRule<A>, other: AccessRule<B>): AccessRule<A & B> =>
  [...one, ...other] as AccessRule<A & B>

/** Whether the rule allows it in one case. In messaging, `allowsSql` asks the same of rows. */
export function allows<C>(rule: AccessRule<C>, conditions: ConditionsOf<NoInfer<C>>): boolean {
  return rule.every((grounds) => grounds.some((ground) => holds(ground, conditions)))
}

function holds<C>(ground: Ground<C>, conditions: ConditionsOf<C>): boolean {
  for (const name in ground) if (!isMet(conditions[name], ground[name])) return false
  return true
}

/** Whether a condition with this value is as a ground asks. */
export function isMet(value: boolean | number | null, asked: boolean | Role | undefined): boolean {
  if (typeof asked !== 'number') return value === asked
  return typeof value === 'number' && value <= asked
}
