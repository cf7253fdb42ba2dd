import { badRequest } from '@tms/contracts'

/** Throws BAD_REQUEST: groups of default channels are not supported. */
export function handleCreateDefaultChannelGroup(): never {
  throw badRequest('Groups of default channels are not available on this server.')
}

/** Throws BAD_REQUEST: no such group exists. */
function refuseGroup({ input }: { readonly input: { readonly group_id: number } }): never {
  throw badRequest(`Default channel group with id '${input.group_id}' does not exist.`)
}

export const handleUpdateDefaultChannelGroup = refuseGroup
export const handleRemoveDefaultChannelGroup = refuseGroup
export const handleUpdateDefaultChannelGroupChannels = refuseGroup
