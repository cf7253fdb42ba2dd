import { AppError, type endpoints } from '@tms/contracts'
import { FileAnswer, type Handler } from '@tms/service-kit'
import { findRealmByHost } from '../kernel/realms/find-realm-by-host.ts'
import { findExport } from './export.queries.ts'
import type { ExportContext } from './export-context.ts'
import { archiveNameOf } from './show-export.ts'

/**
 * Returns an archive to anyone with a valid link, at the host of its organization while that is active. Throws
 * NOT_FOUND.
 */
export const handleGetExportArchive: Handler<
  typeof endpoints.realm.getExportArchive,
  ExportContext
> = async ({ input: { export_id, token }, context, host }) => {
  const isValid = context.exportLinks.isValid(export_id, token, context.now())
  const made = isValid ? await findExport(context.prisma, export_id) : null
  const realm = made && (await findRealmByHost(context, host))
  const name = made?.file
  if (!made || !name || realm?.id !== made.realmId || !realm.isActive) throw noSuchArchive()
  const blob = await context.blobs.stat(name)
  if (!blob) throw noSuchArchive()
  return new FileAnswer({
    contentType: 'application/gzip',
    disposition: `attachment; filename="${archiveNameOf(realm, made)}"`,
    size: blob.size,
    tag: name.replaceAll('/', '-'),
    open: async (range) => {
      const content = await context.blobs.get(name, range)
      if (!content) throw noSuchArchive()
      return content
    },
  })
}

function noSuchArchive(): AppError {
  return new AppError('NOT_FOUND', { message: 'There is no such export, or the link to it has expired' })
}
