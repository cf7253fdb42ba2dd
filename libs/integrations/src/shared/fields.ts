import { z } from 'zod'

/** A text that may be null or missing; numbers and truth values become texts. */
export const text = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? '' : String(value)))

export const url = z.string().nullish()

/** A list that may be null or missing. */
export const listOf = <Item extends z.ZodType>(item: Item): z.ZodType<z.output<Item>[]> =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])

/** A named part, such as a person or a project, that may be null or missing. */
export const named = z.looseObject({ name: text }).nullish()
