import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import { useTexts } from '../texts/texts.ts'
import css from './camera.module.css'
import type { Facing, useCamera } from './use-camera.ts'

interface ViewfinderProps {
  camera: ReturnType<typeof useCamera>
  facing: Facing
  /** What can be done beside turning on the light. */
  children?: ReactNode
}

/** The picture of a camera, or why there is none. */
export function Viewfinder({ camera, facing, children }: ViewfinderProps) {
  const { t } = useTexts()
  const [lit, setLit] = useState(false)
  const { video, isOn, trouble, light } = camera
  return (
    <>
      {trouble ? (
        <p role="alert" className={css['trouble']}>
          {t(`platform.camera.${trouble}`)}
        </p>
      ) : (
        <video
          ref={video}
          className={css['picture']}
          data-mirrored={facing === 'user' || undefined}
          data-on={isOn || undefined}
          muted
          playsInline
          aria-label={t('platform.camera.picture')}
        />
      )}
      <div className={css['acts']}>
        {light && (
          <Button aria-pressed={lit} onClick={() => void light(!lit).then(() => setLit(!lit))}>
            {t('platform.camera.light')}
          </Button>
        )}
        {children}
      </div>
    </>
  )
}
