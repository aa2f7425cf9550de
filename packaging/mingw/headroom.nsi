; SPDX-License-Identifier: GPL-3.0-or-later
; Installer for one user, without an administrator. packaging/windows calls makensis with VERSION, TREE (what is installed)
; and OUT. Silent: /S, the folder /D=…
Target amd64-unicode ; Windows has had no other kind of its own since 11
SetCompressor /SOLID lzma
!include "MUI2.nsh"
!include "FileFunc.nsh"
!define NAME "Headroom"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"
!define CLASSES "Software\Classes"

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"
RequestExecutionLevel user
ManifestDPIAware true
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "FileDescription" "${NAME} ${VERSION}, installer"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "GPL-3.0-or-later"
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!insertmacro MUI_PAGE_LICENSE "${TREE}\LICENSE.txt"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

; One kind of file: its ending, class and name, and which of the program's icons.
!macro Associate ENDING CLASS WORDS INDEX
    WriteRegStr HKCU "${CLASSES}\${ENDING}" "" "${CLASS}"
    WriteRegStr HKCU "${CLASSES}\${CLASS}" "" "${WORDS}"
    WriteRegStr HKCU "${CLASSES}\${CLASS}\DefaultIcon" "" "$INSTDIR\headroom.exe,${INDEX}"
    WriteRegStr HKCU "${CLASSES}\${CLASS}\shell\open\command" "" '"$INSTDIR\headroom.exe" "%1"'
!macroend
; Only what is still ours: another program may have taken the ending since.
!macro Forget ENDING CLASS
    ReadRegStr $0 HKCU "${CLASSES}\${ENDING}" ""
    ${If} $0 == "${CLASS}"
        DeleteRegKey HKCU "${CLASSES}\${ENDING}"
    ${EndIf}
    DeleteRegKey HKCU "${CLASSES}\${CLASS}"
!macroend
!define SHCNE_ASSOCCHANGED 0x08000000
!macro TellExplorer
    System::Call 'shell32::SHChangeNotify(i ${SHCNE_ASSOCCHANGED}, i 0, p 0, p 0)'
!macroend

Section
    SetOutPath "$INSTDIR"
    File /r "${TREE}\*"
    CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\headroom.exe"
    !insertmacro Associate ".headroom" "Headroom.Scenario" "Headroom scenario" 1
    !insertmacro Associate ".headroom-views" "Headroom.Views" "Headroom views" 2
    !insertmacro TellExplorer
    WriteUninstaller "$INSTDIR\uninstall.exe"
    WriteRegStr HKCU "${KEY}" "DisplayName" "${NAME}"
    WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\headroom.exe"
    WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
    WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${KEY}" "NoModify" 1
    WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
    ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
    WriteRegDWORD HKCU "${KEY}" "EstimatedSize" "$0"
SectionEnd

; Only what the installer brought (packaging/windows lists it): somebody may have chosen a folder with other things in it.
Section "Uninstall"
    Delete "$SMPROGRAMS\${NAME}.lnk"
    !include "${REMOVAL}"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    RMDir "$LOCALAPPDATA\Programs" ; where nobody had that folder before; one with anything in it stays
    !insertmacro Forget ".headroom" "Headroom.Scenario"
    !insertmacro Forget ".headroom-views" "Headroom.Views"
    !insertmacro TellExplorer
    DeleteRegKey HKCU "${KEY}"
SectionEnd
