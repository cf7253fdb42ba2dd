import { AppError } from '@tms/contracts'

/** Details of an error that the protocol names (RFC 7644, 3.12). */
type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'noTarget'

const invalid =
  (scimType: ScimType) =>
  (message: string): AppError =>
    new AppError('BAD_REQUEST', { message, details: { scim_type: scimType } })

export const invalidFilter = invalid('invalidFilter')
export const invalidPath = invalid('invalidPath')
export const invalidSyntax = invalid('invalidSyntax')
export const invalidValue = invalid('invalidValue')
export const noTarget = invalid('noTarget')
export const immutable = invalid('mutability')

export const notUnique = (message: string): AppError =>
  new AppError('CONFLICT', { message, details: { scim_type: 'uniqueness' } })

export const conflict = (message: string): AppError => new AppError('CONFLICT', { message })

export const noSuchResource = (): AppError =>
  new AppError('NO_SUCH_OBJECT', { message: 'There is no such resource' })

export const forbidden = (message: string): AppError => new AppError('FORBIDDEN', { message })
