import type { PrismaTx } from '../kernel/database/prisma-tx.ts'

/** The fields of a custom profile field that administrators write. */
export interface ProfileFieldText {
  readonly name: string
  readonly hint: string
  /** JSON text; empty for types without. */
  readonly fieldData: string
  readonly isInSummary: boolean
  readonly isRequired: boolean
  /** By the users themselves, rather than only by administrators. */
  readonly isEditable: boolean
}

/** Adds a field and returns its ID. */
export async function insertProfileField(
  tx: PrismaTx,
  field: ProfileFieldText & { realmId: number; type: number; position: number },
): Promise<number> {
  const { id } = await tx.profileField.create({ data: field })
  return id
}

export async function saveProfileField(tx: PrismaTx, id: number, text: ProfileFieldText): Promise<void> {
  await tx.profileField.update({ where: { id }, data: text })
}

export async function deleteProfileField(tx: PrismaTx, id: number): Promise<void> {
  await tx.profileField.delete({ where: { id } })
}

/** Puts fields in the order of these IDs. */
export async function saveProfileFieldOrder(tx: PrismaTx, ids: readonly number[]): Promise<void> {
  await tx.$executeRaw`
    update profile_fields
       set position = wanted.position
      from unnest(${ids}::integer[]) with ordinality as wanted (id, position)
     where profile_fields.id = wanted.id`
}
