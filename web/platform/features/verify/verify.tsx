import { Alert, Button, Form, Input, Upload } from 'antd'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Problem } from '../../kernel/client/client.ts'
import { useVerifiedDocument, type VerifiedDocument } from '../../kernel/api/verify.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './verify.module.css'

/** /verify/{code}: tells the holder of a document whether it is genuine and still valid. */
export default function Verify({ params, title }: PageProps) {
  const { t, language } = useTexts()
  const code = params['code']
  const { data, error, mutate } = useVerifiedDocument(code, language)
  const unknown = error instanceof Problem && error.status === 404
  return (
    <div className={css['page']}>
      <h1>{t(title)}</h1>
      {data ? (
        <Found document={data} />
      ) : code && !error ? (
        <Skeleton lines={6} />
      ) : error && !unknown ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Entry unknown={unknown} />
      )}
    </div>
  )
}

/** Asks for the code if it was not scanned, or if no document has it. */
function Entry({ unknown }: { unknown: boolean }) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  return (
    <>
      <p>{t('platform.verify.about')}</p>
      {unknown && <Alert className={css['state']} type="error" role="alert" title={t('platform.document-unknown')} />}
      <Form<{ code: string }>
        layout="vertical"
        requiredMark={false}
        validateTrigger="onSubmit"
        onFinish={({ code }) => navigate(`/verify/${encodeURIComponent(code.replaceAll(/\s/g, ''))}`)}
      >
        <Form.Item
          name="code"
          label={t('platform.verify.code')}
          rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
        >
          <Input autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={60} />
        </Form.Item>
        <Button type="primary" size="large" htmlType="submit">
          {t('platform.verify.look')}
        </Button>
      </Form>
    </>
  )
}

function Found({ document }: { document: VerifiedDocument }) {
  const { t } = useTexts()
  const { date, dateTime } = useFormats()
  const { state, endedAt, sha256 } = document
  const facts: [label: string, value: string][] = [
    ['platform.verify.title', document.title],
    ['platform.verify.number', document.number],
    ['platform.verify.holder', document.holder],
    ['platform.verify.issued', date(document.issuedAt)],
  ]
  if (sha256 !== null) facts.push(['platform.verify.signed', document.signedBy.join(', ') || '–'])
  if (endedAt !== null) facts.push(['platform.verify.ended', dateTime(endedAt)])
  return (
    <>
      <Alert
        className={css['state']}
        type={state === 'valid' ? 'success' : 'warning'}
        role="status"
        showIcon
        title={t(`platform.verify.state.${state}`)}
      />
      <dl className={css['facts']}>
        {facts.map(([label, value]) => (
          <Fact key={label} label={t(label)} value={value} />
        ))}
      </dl>
      {sha256 !== null && <Compare sha256={sha256} />}
      <Link href="/verify">{t('platform.verify.another')}</Link>
    </>
  )
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  )
}

/** Compares a file with the issued one on this device. */
function Compare({ sha256 }: { sha256: string }) {
  const { t } = useTexts()
  const [found, setFound] = useState<'same' | 'differs' | 'cannot'>()
  const compare = async (file: Blob) => {
    // Browsers provide `crypto.subtle` only in a secure context.
    if (!globalThis.crypto?.subtle) return setFound('cannot')
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
    const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
    setFound(hex === sha256 ? 'same' : 'differs')
  }
  return (
    <section className={css['compare']}>
      <h2>{t('platform.verify.compare')}</h2>
      <p>{t('platform.verify.compare-about')}</p>
      <Upload
        accept="application/pdf"
        maxCount={1}
        showUploadList={false}
        beforeUpload={(file) => {
          void compare(file)
          return false
        }}
      >
        <Button>{t('platform.verify.choose')}</Button>
      </Upload>
      {found && (
        <Alert
          role="status"
          showIcon
          type={found === 'same' ? 'success' : found === 'differs' ? 'error' : 'warning'}
          title={t(`platform.verify.${found}`)}
        />
      )}
    </section>
  )
}
