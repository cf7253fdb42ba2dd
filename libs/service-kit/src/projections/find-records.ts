import { z } from 'zod'
import type { OwnedRecord, Projection } from './define-projection.ts'

/**
 * The fields of a contract that contain records of a projection, one or a list. A field counts if its schema is the very
 * object that the projection declares as `record`: a copy, or an `optional()` around it, is not found.
 */
function fieldsWithRecords({ record }: Pick<Projection, 'record'>, contract: z.ZodType): string[] {
  if (!(contract instanceof z.ZodObject)) return []
  const fields = Object.entries<z.ZodType>(contract.shape)
  const isOfRecord = (type: z.ZodType) =>
    type === record || (type instanceof z.ZodArray && type.element === record)
  return fields.filter(([, type]) => isOfRecord(type)).map(([field]) => field)
}

/** Whether values of a contract contain records of a projection. */
export const containsRecords = (projection: Pick<Projection, 'record'>, contract: z.ZodType): boolean =>
  fieldsWithRecords(projection, contract).length > 0

/** The records of a projection in a value of a contract: the payload of an event, or a list of changes. */
export function findRecords<R extends OwnedRecord>(
  projection: Projection<R>,
  contract: z.ZodType,
  value: unknown,
): readonly R[] {
  const values = value as Readonly<Record<string, R | R[] | undefined>>
  // An event of an earlier release may lack the field.
  return fieldsWithRecords(projection, contract).flatMap((field) => values[field] ?? [])
}
