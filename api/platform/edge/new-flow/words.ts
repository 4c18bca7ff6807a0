import { statusText } from '../../../../forms/platform/status-text.ts'
import type { Language } from '../../model/library/library.ts'
import { type ChainDesk, CORRECT } from './chain.ts'
import { DESK, DESK_NAME, type Names } from './diagram.ts'

/** The texts of a skeleton in one language. */
export interface Words {
  purpose: string
  decision: string
  reason: string
  approve: string
  reject: string
  desk: string
  question: string
  dear: string
  states: Record<'Requested' | 'Approved' | 'Rejected', string>
  mails: Record<'approved' | 'rejected' | 'reminder' | 'escalation', { subject: string; body: string }>
}

const words: Record<Language, Words> = {
  en: {
    purpose: 'What for',
    decision: 'Decision',
    reason: 'Reason',
    approve: 'Approve',
    reject: 'Reject…',
    desk: DESK_NAME,
    question: 'Do you approve what {{requester}} asks for: {{purpose}}?',
    dear: 'Dear {{name}},',
    states: { Requested: 'Requested', Approved: 'Approved', Rejected: 'Rejected' },
    mails: {
      approved: { subject: 'Your request {{reference}} is approved', body: '“{{purpose}}” is approved.' },
      rejected: { subject: 'Your request {{reference}} was not approved', body: 'Reason: {{reason}}' },
      reminder: {
        subject: 'A request waits for you: {{reference}}',
        body: '“{{purpose}}” has waited for one working day.',
      },
      escalation: {
        subject: 'A request has waited for three working days: {{reference}}',
        body: '“{{purpose}}” waits at a desk below yours.',
      },
    },
  },
  si: {
    purpose: 'අරමුණ',
    decision: 'තීරණය',
    reason: 'හේතුව',
    approve: 'අනුමත කරන්න',
    reject: 'ප්‍රතික්ෂේප කරන්න…',
    desk: 'දෙපාර්තමේන්තු ප්‍රධානියා ලෙස අනුමත කරන්න',
    question: '{{requester}} ගේ ඉල්ලීම අනුමත කරනවාද: {{purpose}}?',
    dear: 'හිතවත් {{name}},',
    states: { Requested: 'ඉල්ලා ඇත', Approved: 'අනුමතයි', Rejected: 'ප්‍රතික්ෂේප කළා' },
    mails: {
      approved: { subject: 'ඔබේ {{reference}} ඉල්ලීම අනුමත විය', body: '“{{purpose}}” අනුමත විය.' },
      rejected: { subject: 'ඔබේ {{reference}} ඉල්ලීම අනුමත නොවීය', body: 'හේතුව: {{reason}}' },
      reminder: {
        subject: 'ඉල්ලීමක් ඔබ වෙනුවෙන් රැඳී ඇත: {{reference}}',
        body: '“{{purpose}}” වැඩ කරන දිනක් රැඳී ඇත.',
      },
      escalation: {
        subject: 'ඉල්ලීමක් වැඩ කරන දින තුනක් රැඳී ඇත: {{reference}}',
        body: '“{{purpose}}” ඔබට පහළින් ඇති තනතුරක රැඳී ඇත.',
      },
    },
  },
  ta: {
    purpose: 'நோக்கம்',
    decision: 'தீர்மானம்',
    reason: 'காரணம்',
    approve: 'அனுமதிக்கவும்',
    reject: 'நிராகரிக்கவும்…',
    desk: 'துறைத் தலைவராக அனுமதிக்கவும்',
    question: '{{requester}} இன் கோரிக்கையை அனுமதிக்கலாமா: {{purpose}}?',
    dear: 'அன்புள்ள {{name}},',
    states: { Requested: 'கோரப்பட்டது', Approved: 'அனுமதிக்கப்பட்டது', Rejected: 'நிராகரிக்கப்பட்டது' },
    mails: {
      approved: {
        subject: 'உங்கள் {{reference}} கோரிக்கை அனுமதிக்கப்பட்டது',
        body: '“{{purpose}}” அனுமதிக்கப்பட்டது.',
      },
      rejected: {
        subject: 'உங்கள் {{reference}} கோரிக்கை அனுமதிக்கப்படவில்லை',
        body: 'காரணம்: {{reason}}',
      },
      reminder: {
        subject: 'ஒரு கோரிக்கை உங்களுக்காகக் காத்திருக்கிறது: {{reference}}',
        body: '“{{purpose}}” ஒரு வேலை நாளாகக் காத்திருக்கிறது.',
      },
      escalation: {
        subject: 'ஒரு கோரிக்கை மூன்று வேலை நாட்களாகக் காத்திருக்கிறது: {{reference}}',
        body: '“{{purpose}}” உங்களுக்குக் கீழுள்ள ஒரு மேசையில் காத்திருக்கிறது.',
      },
    },
  },
}

/** The texts of a skeleton by key. Its title exists only in English and has to be translated. */
export function textsOf({ area, name, title }: Names, language: Language): Record<string, string> {
  const { purpose, decision, reason, approve, reject, desk, question, dear, states, mails } = words[language]
  const texts = {
    [`desk.${DESK}`]: desk,
    'field.outcome': decision,
    'field.purpose': purpose,
    'field.reason': reason,
    ...mailTexts(dear, mails),
    'outcome.approve': approve,
    'outcome.reject': reject,
    'question.approve': question,
    [name]: title,
    [`${name}-decision`]: decision,
    [`${name}-subject`]: '{{purpose}}',
    ...Object.fromEntries(Object.entries(states).map(([state, word]) => [`status.${name}.${state}`, word])),
  }
  return inArea(area, texts)
}

/** Additional texts of a chain in one language; `{{role}}` is filled in. */
interface ChainWords {
  desk: string
  correct: string
  toCorrect: string
  giveBack: string
  mails: Record<'returned' | 'correction-reminder' | 'lapsed', { subject: string; body: string }>
}

const chainWords: Record<Language, ChainWords> = {
  en: {
    desk: 'Approve as {{role}}',
    correct: 'Correct the request',
    toCorrect: 'What is to be corrected: {{purpose}}?',
    giveBack: 'Return for correction…',
    mails: {
      returned: {
        subject: 'Please correct your request {{reference}}',
        body: 'Reason: {{reason}}\n\nPlease correct “{{purpose}}” within 14 days.',
      },
      'correction-reminder': {
        subject: 'Your request {{reference}} waits for your correction',
        body: 'Reason: {{reason}}\n\nPlease correct “{{purpose}}” within 14 days of its return.',
      },
      lapsed: {
        subject: 'Your request {{reference}} has lapsed',
        body: '“{{purpose}}” was not corrected in time. You may send a new request.',
      },
    },
  },
  si: {
    desk: '{{role}} ලෙස අනුමත කරන්න',
    correct: 'ඉල්ලීම නිවැරදි කරන්න',
    toCorrect: 'නිවැරදි කළ යුත්තේ කුමක්ද: {{purpose}}?',
    giveBack: 'නිවැරදි කිරීමට ආපසු යවන්න…',
    mails: {
      returned: {
        subject: 'කරුණාකර ඔබේ {{reference}} ඉල්ලීම නිවැරදි කරන්න',
        body: 'හේතුව: {{reason}}\n\nකරුණාකර “{{purpose}}” දින 14ක් ඇතුළත නිවැරදි කරන්න.',
      },
      'correction-reminder': {
        subject: 'ඔබේ {{reference}} ඉල්ලීම නිවැරදි කිරීම සඳහා රැඳී ඇත',
        body: 'හේතුව: {{reason}}\n\nආපසු යවා දින 14ක් ඇතුළත “{{purpose}}” නිවැරදි කරන්න.',
      },
      lapsed: {
        subject: 'ඔබේ {{reference}} ඉල්ලීම කල් ඉකුත් විය',
        body: '“{{purpose}}” නියමිත කාලය තුළ නිවැරදි නොකෙරිණි. ඔබට නව ඉල්ලීමක් යැවිය හැකිය.',
      },
    },
  },
  ta: {
    desk: '{{role}} ஆக அனுமதிக்கவும்',
    correct: 'கோரிக்கையைத் திருத்தவும்',
    toCorrect: 'திருத்த வேண்டியது என்ன: {{purpose}}?',
    giveBack: 'திருத்தத்திற்குத் திருப்பி அனுப்பவும்…',
    mails: {
      returned: {
        subject: 'உங்கள் {{reference}} கோரிக்கையைத் திருத்தவும்',
        body: 'காரணம்: {{reason}}\n\n“{{purpose}}” ஐ 14 நாட்களுக்குள் திருத்தவும்.',
      },
      'correction-reminder': {
        subject: 'உங்கள் {{reference}} கோரிக்கை திருத்தத்திற்காகக் காத்திருக்கிறது',
        body: 'காரணம்: {{reason}}\n\nதிருப்பி அனுப்பப்பட்ட 14 நாட்களுக்குள் “{{purpose}}” ஐத் திருத்தவும்.',
      },
      lapsed: {
        subject: 'உங்கள் {{reference}} கோரிக்கை காலாவதியானது',
        body: '“{{purpose}}” உரிய நேரத்தில் திருத்தப்படவில்லை. புதிய கோரிக்கையை அனுப்பலாம்.',
      },
    },
  },
}

/** The texts of a chain by key. Roles and statuses are taken as written and have to be translated. */
export function chainTexts(
  names: Names,
  { desks, states }: { desks: readonly ChainDesk[]; states: readonly string[] },
  language: Language,
): Record<string, string> {
  const { area, name } = names
  const { desk, correct, toCorrect, giveBack, mails } = chainWords[language]
  const own = {
    ...Object.fromEntries(desks.map(({ id, role }) => [`desk.${id}`, desk.replace('{{role}}', role)])),
    [`desk.${CORRECT}`]: correct,
    'outcome.return': giveBack,
    'question.correct': toCorrect,
    ...mailTexts(words[language].dear, mails),
  }
  const plain = Object.entries(textsOf(names, language)).filter(
    ([key]) => key !== `${area}.desk.${DESK}` && !key.startsWith(`${area}.status.`),
  )
  const called = states.map((state) => [statusText(`${area}/${name}`, state), state])
  return { ...Object.fromEntries(plain), ...inArea(area, own), ...Object.fromEntries(called) }
}

function inArea(area: string, texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${area}.${key}`, text]))
}

function mailTexts(
  dear: string,
  mails: Readonly<Record<string, { subject: string; body: string }>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mails).flatMap(([mail, { subject, body }]) => [
      [`mail.${mail}-body`, `${dear}\n\n${body}\n\n{{link}}`],
      [`mail.${mail}-subject`, subject],
    ]),
  )
}
