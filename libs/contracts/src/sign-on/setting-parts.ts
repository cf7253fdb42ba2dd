import { z } from 'zod'
import { Role } from '../permissions/role.ts'

export const filledText = z.string().min(1)

/** A secret, or the path of a file that has it. */
export const secret = z.union([filledText, z.strictObject({ file: filledText })])

/** Subdomains, of which the default organization has the empty one; absent: all organizations. */
export const organizations = z.array(z.string()).min(1).optional()

export const domain = z
  .string()
  .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'is no domain')
  .transform((name) => name.toLowerCase())

/** Roles by name. */
const roleNames = Object.keys(Role) as (keyof typeof Role)[]
const roleName = z.enum(roleNames)

type RoleRule = z.ZodObject<
  {
    attribute: z.ZodString
    values: z.ZodRecord<z.ZodString, typeof roleName>
    otherwise: z.ZodDefault<typeof roleName>
  },
  z.core.$strict
>

/** Gives roles by the values of an attribute. */
export function roleRule(attribute: z.ZodString): RoleRule {
  return z.strictObject({
    attribute,
    values: z.record(z.string(), roleName),
    otherwise: roleName.default('member'),
  })
}
