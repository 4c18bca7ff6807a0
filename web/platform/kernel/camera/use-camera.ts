import { useEffect, useRef, useState, type RefObject } from 'react'

/** Which way the camera looks: away from the reader, or at them. */
export type Facing = 'environment' | 'user'

/** Why there is no picture: an insecure page, no permission, no camera, or one that does not start. */
export type CameraTrouble = 'insecure' | 'refused' | 'none' | 'busy'

interface Camera {
  video: RefObject<HTMLVideoElement | null>
  /** Its picture is shown. */
  isOn: boolean
  trouble: CameraTrouble | undefined
  /** Turns its light on or off; absent if it has none. */
  light: ((on: boolean) => Promise<void>) | undefined
}

/** Shows the picture of a camera in `video` until the component goes. */
export function useCamera(facing: Facing): Camera {
  const video = useRef<HTMLVideoElement>(null)
  const [track, setTrack] = useState<MediaStreamTrack>()
  const [trouble, setTrouble] = useState<CameraTrouble>()
  useEffect(() => {
    let gone = false
    let opened: MediaStream | undefined
    const stop = () => {
      for (const one of opened?.getTracks() ?? []) one.stop()
    }
    const start = async () => {
      opened = await open(facing)
      if (gone || !video.current) return stop()
      video.current.srcObject = opened
      await video.current.play()
      if (!gone) setTrack(opened.getVideoTracks()[0])
    }
    start().catch((error: unknown) => {
      stop()
      if (!gone) setTrouble(troubleOf(error))
    })
    return () => {
      gone = true
      stop()
      setTrack(undefined)
      setTrouble(undefined)
    }
  }, [facing])
  return { video, isOn: track !== undefined, trouble, light: lightOf(track) }
}

/** Browsers offer cameras only to pages that came over TLS, or from this machine. */
async function open(facing: Facing): Promise<MediaStream> {
  if (!window.isSecureContext) throw new DOMException('', 'SecurityError')
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: facing, width: { ideal: 1280 }, height: { ideal: 720 } },
  })
}

const troubles: Readonly<Record<string, CameraTrouble>> = {
  NotAllowedError: 'refused',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  SecurityError: 'insecure',
}

const troubleOf = (error: unknown): CameraTrouble =>
  (error instanceof DOMException ? troubles[error.name] : undefined) ?? 'busy'

function lightOf(track: MediaStreamTrack | undefined): Camera['light'] {
  const can: (MediaTrackCapabilities & { torch?: boolean }) | undefined = track?.getCapabilities?.()
  if (!track || !can?.torch) return undefined
  return (on) => {
    const torch: MediaTrackConstraintSet & { torch: boolean } = { torch: on }
    return track.applyConstraints({ advanced: [torch] })
  }
}
