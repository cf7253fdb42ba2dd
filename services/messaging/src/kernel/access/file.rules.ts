import { allows, type FileConditions, fileRules } from '@tms/contracts'

/** How a reader has access to a file, through the messages that link it. */
export type FileAccess = Omit<FileConditions, 'role'>

/** Whether a reader may read a file of their organization; the role is null for anyone on the web. */
export const canReadFile = ({ role }: { readonly role: number | null }, access: FileAccess): boolean =>
  allows(fileRules.read, { ...access, role })
