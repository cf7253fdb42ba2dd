import type { Translation } from './english.ts'

export const spanish: Translation = {
  greeting: 'Hola, {name}:',
  'greeting.unnamed': 'Hola:',
  open: 'Abrir {realm}',
  'link.settings': 'Ajustes de notificaciones',
  'link.unsubscribe': 'Darse de baja',

  'missed.subject.direct': 'Mensajes directos con {name}',
  'missed.subject.own': 'Mensajes directos contigo',
  'missed.subject.group': 'Mensajes de grupo con {names}',
  'missed.subject.resolved': '[resuelto] {conversation}',
  'missed.subject.hidden': 'Mensajes nuevos',
  'missed.others': {
    one: '{count} persona más',
    many: '{count} personas más',
    other: '{count} personas más',
  },
  'missed.omitted': {
    one: '{count} mensaje anterior no se muestra aquí.',
    many: '{count} mensajes anteriores no se muestran aquí.',
    other: '{count} mensajes anteriores no se muestran aquí.',
  },
  'missed.open': 'Abrir la conversación',
  'missed.unanswerable': 'Las respuestas a este correo no llegan a nadie.',
  'missed.answerable': 'Responde a este correo para publicar una respuesta en la conversación.',
  'missed.reason.direct_message': 'Recibes este correo porque te han escrito directamente.',
  'missed.reason.mentioned': 'Recibes este correo porque te han mencionado.',
  'missed.reason.group': 'Recibes este correo porque han mencionado a @{group}.',
  'missed.reason.topic_wildcard_mentioned_in_followed_topic':
    'Recibes este correo porque han mencionado a todos los participantes de un tema que sigues.',
  'missed.reason.stream_wildcard_mentioned_in_followed_topic':
    'Recibes este correo porque han mencionado a todos en un tema que sigues.',
  'missed.reason.topic_wildcard_mentioned':
    'Recibes este correo porque han mencionado a todos los participantes del tema.',
  'missed.reason.stream_wildcard_mentioned':
    'Recibes este correo porque han mencionado a todos los miembros del canal.',
  'missed.reason.followed_topic_email_notify': 'Recibes este correo porque sigues este tema.',
  'missed.reason.stream_email_notify': 'Recibes este correo porque has activado los correos de este canal.',
  'missed.hidden': 'Tienes mensajes nuevos en {realm}.',
  'missed.hidden_by.organization':
    'Este correo no los muestra porque tu organización ha desactivado esa opción.',
  'missed.hidden_by.user': 'Este correo no los muestra porque has desactivado esa opción en tus ajustes.',
  'missed.summary.subject': {
    one: 'Mensajes sin leer en {count} conversación más',
    many: 'Mensajes sin leer en {count} conversaciones más',
    other: 'Mensajes sin leer en {count} conversaciones más',
  },
  'missed.summary': {
    one: 'Tienes mensajes sin leer en {count} conversación más.',
    many: 'Tienes mensajes sin leer en {count} conversaciones más.',
    other: 'Tienes mensajes sin leer en {count} conversaciones más.',
  },
  'missed.last_of_day': 'No recibirás más correos sobre mensajes perdidos durante un día como máximo.',
  'missed.test': 'Un operador de esta instalación comprueba si te llegan los correos.',

  'digest.subject': 'Lo que te has perdido en {realm}',
  'digest.intro': 'esto ha pasado en {realm} durante tu ausencia.',
  'digest.more': {
    one: '{count} mensaje más, con {names}',
    many: '{count} mensajes más, con {names}',
    other: '{count} mensajes más, con {names}',
  },
  'digest.with': 'Con {names}',
  'digest.channels': 'Canales nuevos',
  'digest.more_channels': { one: 'Y {count} más.', many: 'Y {count} más.', other: 'Y {count} más.' },
  'digest.reason':
    'Recibes este correo porque no has estado activo durante unos días. Llega una vez por semana como máximo.',
  'digest.hidden': 'hay mensajes nuevos en {realm} desde tu ausencia.',
  'reply.refused.subject': 'Tu respuesta no se ha publicado',
  'reply.refused.intro':
    'tu respuesta por correo, «{subject}», no se ha publicado en {realm} por este motivo:',
  'reply.empty': 'El correo no contiene texto aparte de la cita ni archivos adjuntos.',
  'reply.omitted': '(No adjuntado: {names})',
  'reply.tested.subject': 'Las respuestas por correo funcionan',
  'reply.tested':
    'tu respuesta al correo de prueba ha llegado. Las respuestas a los correos sobre mensajes perdidos se publican.',
  'announcement.reason':
    'Recibes este correo porque tienes una cuenta en {realm}. Lo envían los operadores del servicio.',

  'login.subject': 'Nuevo inicio de sesión en {realm}',
  'login.intro': 'alguien acaba de iniciar sesión en tu cuenta de {realm}.',
  'login.time': 'Cuándo: {time}',
  'login.program': 'Con: {program}',
  'login.unknown_program': 'un programa desconocido',
  'login.address': 'Desde: {address}',
  'login.advice':
    'Si has sido tú, no tienes que hacer nada. Si no, cambia tu contraseña y obtén una nueva clave de API de inmediato, y avisa a quienes administran la organización.',
  'login.turn_off': 'Puedes desactivar estos correos en tus ajustes.',
  'login_mails_off.subject': 'No más correos sobre inicios de sesión en {realm}',
  'login_mails_off.intro':
    'los correos sobre nuevos inicios de sesión en tu cuenta de {realm} se han desactivado con el enlace de uno de ellos. Este es el último.',
  'login_mails_off.advice':
    'Si has sido tú, no tienes que hacer nada. Si no, vuelve a activarlos en tus ajustes y cambia tu contraseña.',

  'welcome.subject': 'Te damos la bienvenida a {realm}',
  'welcome.intro':
    'Ya tienes una cuenta en {realm}. Para iniciar sesión, usa esta dirección de correo y tu contraseña.',

  'deactivation.subject': 'Tu cuenta en {realm} se ha desactivado',
  'deactivation.intro':
    'Un administrador de {realm} ha desactivado tu cuenta, por lo que ya no puedes iniciar sesión allí.',
  'deactivation.comment': 'Te ha dejado este mensaje:',

  'email_change.subject': 'Confirma tu nueva dirección de correo para {realm}',
  'email_change.intro': '{name}, has pedido usar esta dirección en lugar de {address} en {realm}.',
  'email_change.request': 'Confirma que es tuya. Hasta entonces se sigue usando tu dirección actual.',
  'email_change.action': 'Confirmar la dirección',
  'email_change.remark':
    'El enlace funciona una sola vez, durante un día. Si no lo has pedido, no tienes que hacer nada.',
  'email_changed.subject': 'Tu dirección de correo para {realm} ha cambiado',
  'email_changed.intro':
    '{name}, la dirección de correo de tu cuenta en {realm} es ahora {new_address}. {address} ya no se usa.',
  'email_changed.advice': 'Si no has sido tú, avisa de inmediato a un administrador de la organización.',
  'new_address.subject': 'Tu cuenta en {realm} tiene ahora esta dirección de correo',
  'new_address.intro':
    '{name}, el sistema que gestiona las cuentas de {realm} ha asignado esta dirección a tu cuenta en lugar de {address}.',
  'new_address.advice': 'Si no tienes una cuenta allí, avisa a un administrador de la organización.',

  'invitation.subject': '{inviter} te invita a {realm}',
  'invitation.intro': '{inviter} quiere que te unas a {realm}, donde conversa el equipo.',
  'invitation.action': 'Unirse',
  'invitation.validity': 'La invitación es válida hasta el {time}.',
  'invitation.unlimited': 'La invitación no caduca.',
  'invitation.ignore': 'Si no sabes de qué se trata, puedes ignorar este correo.',
  'invitation_reminder.subject': 'Tu invitación a {realm} está a punto de caducar',
  'invitation_reminder.intro': '{inviter} te invitó a {realm} y todavía te espera.',
  'invitation_reminder.only': 'Este es el único recordatorio.',

  'confirmation.subject': 'Confirma tu dirección de correo para {realm}',
  'confirmation.intro': 'Alguien, seguramente tú, quiere unirse a {realm} con esta dirección de correo.',
  'confirmation.action': 'Confirmar y continuar',
  'confirmation.validity': 'El enlace es válido hasta el {time}.',
  'confirmation.ignore': 'Si no has sido tú, ignora este correo: sin ti no ocurre nada.',

  'password_reset.subject': 'Una nueva contraseña para {realm}',
  'password_reset.intro':
    'Alguien, seguramente tú, ha pedido una nueva contraseña para esta dirección de correo en {realm}.',
  'password_reset.action': 'Elegir una nueva contraseña',
  'password_reset.validity': 'El enlace funciona una sola vez, hasta el {time}.',
  'password_reset.ignore': 'Si no has sido tú, ignora este correo: sin ti no cambia nada.',
  'password_reset.deactivated.subject': 'Tu cuenta en {realm} está desactivada',
  'password_reset.deactivated':
    'La cuenta está desactivada: pide a un administrador de la organización que la reactive.',
  'password_reset.directory.subject': 'Tu contraseña para {realm}',
  'password_reset.directory':
    'Tu contraseña allí es la del directorio de tu organización, que también usas en otros sitios: cámbiala donde lo haces habitualmente.',
  'password_reset.unknown.subject': 'No hay ninguna cuenta en {realm}',
  'password_reset.unknown': 'No hay ninguna cuenta con ella. Quizá te registraste con otra dirección.',
  'password_changed.subject': 'Se ha cambiado tu contraseña de {realm}',
  'password_changed.intro': 'La contraseña de tu cuenta en {realm} acaba de cambiarse.',
  'password_changed.advice':
    'Si no has sido tú, pide una nueva contraseña de inmediato y avisa a un administrador de la organización.',

  'push.message': 'Mensaje nuevo',
  'push.many': 'Muchos mensajes nuevos',
  'push.waiting': {
    one: '{count} mensaje nuevo',
    many: '{count} mensajes nuevos',
    other: '{count} mensajes nuevos',
  },
  'push.waiting.conversations': {
    one: 'En {count} conversación',
    many: 'En {count} conversaciones',
    other: 'En {count} conversaciones',
  },

  'push.test.title': 'Notificación de prueba',
  'push.test': 'Las notificaciones llegan a este dispositivo.',
  'push.mentioned': '{name} te ha mencionado:',
  'push.mentioned.group': '{name} ha mencionado a @{group}:',
  'push.mentioned.everyone': '{name} ha mencionado a todos:',
}
