; SPDX-License-Identifier: GPL-3.0-or-later
; NOT TESTED HERE. Installer of the tree that windows.ps1 leaves in build\windows\tree.
Unicode true
!include "MUI2.nsh"
!include "FileFunc.nsh"
!define NAME "Headroom"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"
!define TYPE "Headroom.Scenario"

Name "${NAME}"
OutFile "..\..\build\windows\headroom-setup.exe"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
RequestExecutionLevel user
!insertmacro MUI_PAGE_LICENSE "..\..\LICENSE"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

Section "${NAME}"
    SetOutPath "$INSTDIR"
    File /r "..\..\build\windows\tree\*"
    CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\bin\headroom.exe"
    WriteRegStr HKCU "Software\Classes\.headroom" "" "${TYPE}"
    WriteRegStr HKCU "Software\Classes\${TYPE}" "" "Headroom scenario"
    WriteRegStr HKCU "Software\Classes\${TYPE}\shell\open\command" "" '"$INSTDIR\bin\headroom.exe" "%1"'
    WriteUninstaller "$INSTDIR\uninstall.exe"
    WriteRegStr HKCU "${KEY}" "DisplayName" "${NAME}"
    WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\bin\headroom.exe"
    WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
    WriteRegDWORD HKCU "${KEY}" "EstimatedSize" "$0"
SectionEnd

Section "Uninstall"
    Delete "$SMPROGRAMS\${NAME}.lnk"
    ; Only folders that the installer made: somebody may have chosen a folder with other things in it.
    RMDir /r "$INSTDIR\bin"
    RMDir /r "$INSTDIR\share"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    DeleteRegKey HKCU "Software\Classes\${TYPE}"
    DeleteRegKey HKCU "Software\Classes\.headroom"
    DeleteRegKey HKCU "${KEY}"
SectionEnd
